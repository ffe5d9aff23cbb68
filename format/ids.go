package format

import (
	"errors"
	"io"
	"strings"

	"kraftctl/decode/index"
	"kraftctl/decode/kbin"
)

// maxDraws ends the drawing of ids from a source that is not random.
const maxDraws = 1000

// errNotRandom is for a source that gives nothing usable.
var errNotRandom = errors.New("the source of random numbers gives no usable ids")

// RandomUUID draws an id as kafka-storage random-uuid does: a version 4 UUID
// whose text does not begin with a dash, which options would choke on.
func RandomUUID(random io.Reader) (kbin.UUID, error) {
	return draw(random, func(id *kbin.UUID) bool {
		id[6] = id[6]&0x0f | 0x40
		id[8] = id[8]&0x3f | 0x80
		return true
	})
}

// randomDirectoryID draws the id of a directory: sixteen random bytes that are
// not reserved and not taken.
func randomDirectoryID(random io.Reader, taken func(kbin.UUID) bool) (kbin.UUID, error) {
	return draw(random, func(id *kbin.UUID) bool { return !index.ReservedDirectoryID(*id) && !taken(*id) })
}

func draw(random io.Reader, accept func(*kbin.UUID) bool) (id kbin.UUID, err error) {
	for range maxDraws {
		if _, err := io.ReadFull(random, id[:]); err != nil {
			return id, err
		}
		if accept(&id) && !strings.HasPrefix(id.String(), "-") {
			return id, nil
		}
	}
	return id, errNotRandom
}
