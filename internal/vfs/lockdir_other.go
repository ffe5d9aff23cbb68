//go:build !unix

package vfs

import "errors"

// unsyncable are what the system says of directories that it does not sync.
var unsyncable = [...]error{errors.ErrUnsupported}
