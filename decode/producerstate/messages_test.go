package producerstate

import (
	"testing"

	"kraftctl/decode/internal/msgtest"
)

func TestEveryKindAndVersion(t *testing.T) { msgtest.Run(t, Messages) }

func FuzzRead(f *testing.F) { msgtest.Fuzz(f, Messages) }
