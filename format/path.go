package format

import "strings"

// Paths of log directories are taken as they are given. filepath.Clean and Join
// would resolve ".." by the text, but behind a symbolic link it does not lead back
// to where one came from.

// join is the name of a file in a directory. As in Java, the empty path is the
// root here.
func join(dir, name string) string {
	dir = javaPath(dir)
	if strings.HasSuffix(dir, "/") {
		return dir + name
	}
	return dir + "/" + name
}

// parent is the directory of a name, by its text; that of the root, and of "..",
// is itself.
func parent(name string) string {
	name = javaPath(name)
	if name == ".." || strings.HasSuffix(name, "/..") {
		return name
	}
	switch at := strings.LastIndexByte(name, '/'); at {
	case -1:
		return "."
	case 0:
		return "/"
	default:
		return name[:at]
	}
}

// physical is the path by which the system knows a directory.
func physical(dir string) string {
	if dir == "" {
		return "/"
	}
	return dir
}

// javaPath is java.io.File's form of a path: no doubled and no trailing slash.
func javaPath(path string) string {
	var b strings.Builder
	for i := range len(path) {
		if path[i] == '/' && i > 0 && path[i-1] == '/' {
			continue
		}
		b.WriteByte(path[i])
	}
	if s := b.String(); len(s) > 1 {
		return strings.TrimSuffix(s, "/")
	}
	return b.String()
}
