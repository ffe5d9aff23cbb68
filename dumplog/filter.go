package dumplog

import "kraftctl/decode"

type filter struct{}

func (f *filter) chooses() bool                                 { return false }
func (f *filter) batch(b *decode.Batch, valid bool) bool        { return true }
func (f *filter) record(b *decode.Batch, r *decode.Record) bool { return true }
