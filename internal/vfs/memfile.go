package vfs

import (
	"io"
	"io/fs"
	"time"
)

// memFile is an open file of Mem. Like a file descriptor it stays usable after
// its name is gone.
type memFile struct {
	fs        *Mem
	node      *memNode
	name      string
	pos       int64
	writable  bool
	appending bool
	closed    bool
}

// do runs one operation under the lock of the file system.
func (f *memFile) do(op string, write bool, fn func() error) error {
	f.fs.mu.Lock()
	defer f.fs.mu.Unlock()
	switch {
	case f.closed:
		return pathError(op, f.name, fs.ErrClosed)
	case f.node.isDir():
		return pathError(op, f.name, errIsDir)
	case write && !f.writable:
		return pathError(op, f.name, fs.ErrPermission)
	}
	return fn()
}

func (f *memFile) Name() string { return f.name }

func (f *memFile) Read(p []byte) (n int, err error) {
	err = f.do("read", false, func() error {
		n, err = f.readAt(p, f.pos)
		f.pos += int64(n)
		if n > 0 {
			return nil // Read, unlike ReadAt, gives a short count without an error
		}
		return err
	})
	return n, err
}

func (f *memFile) ReadAt(p []byte, off int64) (n int, err error) {
	err = f.do("read", false, func() error {
		if off < 0 {
			return pathError("read", f.name, fs.ErrInvalid)
		}
		n, err = f.readAt(p, off)
		return err
	})
	return n, err
}

func (f *memFile) readAt(p []byte, off int64) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	if off >= int64(len(f.node.data)) {
		return 0, io.EOF
	}
	n := copy(p, f.node.data[off:])
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

func (f *memFile) Write(p []byte) (n int, err error) {
	err = f.do("write", true, func() error {
		if f.appending {
			f.pos = int64(len(f.node.data))
		}
		f.node.writeAt(p, f.pos)
		f.node.modTime = f.fs.Now()
		f.pos += int64(len(p))
		n = len(p)
		return nil
	})
	return n, err
}

func (f *memFile) WriteAt(p []byte, off int64) (n int, err error) {
	err = f.do("write", true, func() error {
		if off < 0 || f.appending {
			return pathError("write", f.name, fs.ErrInvalid)
		}
		f.node.writeAt(p, off)
		f.node.modTime = f.fs.Now()
		n = len(p)
		return nil
	})
	return n, err
}

func (f *memFile) Seek(offset int64, whence int) (pos int64, err error) {
	err = f.do("seek", false, func() error {
		switch whence {
		case io.SeekStart:
		case io.SeekCurrent:
			offset += f.pos
		case io.SeekEnd:
			offset += int64(len(f.node.data))
		default:
			return pathError("seek", f.name, fs.ErrInvalid)
		}
		if offset < 0 {
			return pathError("seek", f.name, fs.ErrInvalid)
		}
		f.pos, pos = offset, offset
		return nil
	})
	return pos, err
}

func (f *memFile) Stat() (fs.FileInfo, error) {
	f.fs.mu.Lock()
	defer f.fs.mu.Unlock()
	if f.closed {
		return nil, pathError("stat", f.name, fs.ErrClosed)
	}
	elems := split(f.name)
	if len(elems) == 0 {
		return f.node.info("/"), nil
	}
	return f.node.info(elems[len(elems)-1]), nil
}

func (f *memFile) Truncate(size int64) error {
	return f.do("truncate", true, func() error {
		if size < 0 {
			return pathError("truncate", f.name, fs.ErrInvalid)
		}
		f.node.truncate(size)
		f.node.modTime = f.fs.Now()
		return nil
	})
}

func (f *memFile) Sync() error {
	return f.do("sync", false, func() error {
		f.node.sync()
		return nil
	})
}

func (f *memFile) Close() error {
	f.fs.mu.Lock()
	defer f.fs.mu.Unlock()
	if f.closed {
		return pathError("close", f.name, fs.ErrClosed)
	}
	f.closed = true
	return nil
}

// info is a copy of a node's attributes at one moment.
func (n *memNode) info(base string) fs.FileInfo {
	return memInfo{base, int64(len(n.data)), n.mode, n.modTime, n.owner}
}

type memInfo struct {
	name    string
	size    int64
	mode    fs.FileMode
	modTime time.Time
	owner   *memOwner
}

func (i memInfo) Name() string       { return i.name }
func (i memInfo) Size() int64        { return i.size }
func (i memInfo) Mode() fs.FileMode  { return i.mode }
func (i memInfo) ModTime() time.Time { return i.modTime }
func (i memInfo) IsDir() bool        { return i.mode.IsDir() }
