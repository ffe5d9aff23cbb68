package dumplog

import (
	"kraftctl/decode"
	"kraftctl/decode/jsonw"
)

// appendControl prints the part of a record's line that says what a control
// record is.
func appendControl(dst []byte, r *decode.Record) ([]byte, error) {
	c, err := decode.DecodeControl(r)
	if err != nil {
		if r.Key == nil {
			return dst, exceptionf(classNullPointer, `Cannot invoke "java.nio.ByteBuffer.duplicate()" because "key" is null`)
		}
		return dst, err
	}
	switch c.Type {
	case decode.Abort, decode.Commit:
		dst = append(dst, " endTxnMarker: "...)
		dst = append(dst, c.Type.String()...)
		dst = append(dst, " coordinatorEpoch: "...)
		return jsonw.AppendInt(dst, int64(c.CoordinatorEpoch)), nil
	case decode.LeaderChange:
		dst = append(dst, " LeaderChange: "...)
	case decode.SnapshotHeader:
		dst = append(dst, " SnapshotHeader "...)
	case decode.SnapshotFooter:
		dst = append(dst, " SnapshotFooter "...)
	case decode.KRaftVersion:
		dst = append(dst, " KRaftVersion "...)
	case decode.KRaftVoters:
		dst = append(dst, " KRaftVoters "...)
	default:
		dst = append(dst, " controlType: UNKNOWN("...)
		dst = jsonw.AppendInt(dst, int64(c.TypeID))
		return append(dst, ')'), nil
	}
	return c.Message.AppendJSON(dst, c.Version), nil
}
