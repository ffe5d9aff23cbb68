package term

import (
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
)

// Progress shows how much of the input is done, on standard error. Where that
// is no terminal, or where the output itself goes to one, it shows nothing.
type Progress struct {
	pool *mpb.Progress
	bar  *mpb.Bar
}

// NewProgress prepares a bar; it appears with the first total.
func (s *Streams) NewProgress() *Progress {
	p := &Progress{}
	if s.ErrTerminal && !s.OutTerminal {
		p.pool = mpb.New(mpb.WithOutput(s.Err), mpb.WithWidth(s.Width/2), mpb.WithRefreshRate(200*time.Millisecond))
	}
	return p
}

// Total sets how many bytes there are.
func (p *Progress) Total(bytes int64) {
	if p.pool == nil || p.bar != nil || bytes <= 0 {
		return
	}
	p.bar = p.pool.AddBar(bytes, mpb.BarRemoveOnComplete(),
		mpb.PrependDecorators(decor.CountersKibiByte("% .1f / % .1f")),
		mpb.AppendDecorators(decor.Percentage(), decor.AverageETA(decor.ET_STYLE_GO, decor.WC{W: 8})))
}

// Add tells of bytes that are done.
func (p *Progress) Add(bytes int64) {
	if p.bar != nil {
		p.bar.IncrInt64(bytes)
	}
}

// Done takes the bar away.
func (p *Progress) Done() {
	if p.bar != nil {
		p.bar.Abort(true)
		p.pool.Wait()
	}
}
