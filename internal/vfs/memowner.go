package vfs

// memOwner is the owner that Chown has given a file.
type memOwner struct{ uid, gid uint32 }

// Chown sets the owner of a file or directory, for Owner to tell; without it
// there is none. Rights are not enforced.
func (m *Mem) Chown(name string, uid, gid uint32) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	n, err := m.find(name)
	if err == nil {
		n.owner = &memOwner{uid, gid}
	}
	return pathError("chown", name, err)
}
