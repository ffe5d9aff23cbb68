//go:build conformance

package conformance

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"kraftctl/internal/javaerr"
	"kraftctl/internal/kafkaconfig"
	"kraftctl/internal/props"
	"kraftctl/internal/vfs"
)

const (
	defaultConfigs = 3000
	// maxSettings is of how many configurations the values are compared.
	maxSettings = 400
	// maxLucky bounds what byLuck lets pass: one in so many.
	maxLucky = 100
)

// TestConfig draws configurations, good ones and slightly wrong ones, and
// compares what Kafka's storage tool says when it loads them with what
// kafkaconfig says: accepted or not, the class and text of the exception, and
// the log directories. Of some of those that it accepts, the value of every key
// is compared as well. KRAFTCTL_CONFORMANCE_CONFIGS sets the number.
//
// The known cases of kafkaconfig come along. With KRAFTCTL_CONFORMANCE_RECORD=1
// what Kafka says of them is written down.
func TestConfig(t *testing.T) {
	s := &configSuite{dir: t.TempDir(), seed: setting(t, "KRAFTCTL_CONFORMANCE_SEED", defaultSeed), configs: map[string]*kafkaconfig.Config{}}
	s.readKnown(t)
	s.draw(t, int(setting(t, "KRAFTCTL_CONFORMANCE_CONFIGS", defaultConfigs)))
	providerFiles(t, s.dir)
	start := time.Now()
	t.Log(java(t, s.dir, "Oracle", "kafka.tools.StorageTool", "cases.tsv", "expected"))
	t.Logf("seed %d, Kafka took %v", s.seed, time.Since(start).Round(time.Millisecond))
	t.Run("known", s.checkKnown)
	t.Run("answers", s.answers)
	t.Run("values", s.values)
}

// configSuite is a directory of configurations.
type configSuite struct {
	dir   string
	seed  int64
	texts []string
	// known are the first of them, from knownConfigs, and what is written there
	// behind each.
	known []string
	// good are files that both accept, the first maxSettings of them, and what
	// ours makes of them.
	good    []string
	configs map[string]*kafkaconfig.Config
}

// draw makes the configurations, and the command lines for the storage tool.
func (s *configSuite) draw(t *testing.T, count int) {
	g := &configMaker{Rand: rand.New(rand.NewPCG(uint64(s.seed), 5))}
	var cases strings.Builder
	for range count {
		s.texts = append(s.texts, g.file())
	}
	for i, text := range s.texts {
		name := fmt.Sprintf("%d.properties", i)
		if err := os.WriteFile(filepath.Join(s.dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&cases, "%d\tinfo\t-c\t%s\n", i, name)
	}
	if err := os.WriteFile(filepath.Join(s.dir, "cases.tsv"), []byte(cases.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

const knownConfigs = "../internal/kafkaconfig/testdata/cases.txt"

// readKnown reads the known cases: blocks of properties, and behind => the
// answer.
func (s *configSuite) readKnown(t *testing.T) {
	b, err := os.ReadFile(knownConfigs)
	if err != nil {
		t.Fatal(err)
	}
	for _, block := range strings.Split(strings.TrimSpace(string(b)), "\n\n") {
		text, want, _ := strings.Cut(block, "=> ")
		s.texts, s.known = append(s.texts, text), append(s.known, want)
	}
}

// checkKnown compares what is written down with what Kafka says now.
func (s *configSuite) checkKnown(t *testing.T) {
	var b strings.Builder
	for i, want := range s.known {
		got := "ok"
		if e := s.exception(t, i); e != "" {
			got = strings.ReplaceAll(e, "\n", `\n`)
		}
		if got != want {
			t.Errorf("%s\n%s=> %s\nKafka: %s", knownConfigs, s.texts[i], want, got)
		}
		fmt.Fprintf(&b, "%s=> %s\n\n", s.texts[i], got)
	}
	if os.Getenv("KRAFTCTL_CONFORMANCE_RECORD") == "1" {
		if err := os.WriteFile(knownConfigs, []byte(strings.TrimSuffix(b.String(), "\n")), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// exception is what the tool died of, or empty.
func (s *configSuite) exception(t *testing.T, i int) string {
	e, _, _ := strings.Cut(s.kafka(t, i, ".err"), "\n\tat ")
	e, thrown := strings.CutPrefix(e, `Exception in thread "main" `)
	if !thrown {
		return ""
	}
	return e
}

// kafka is a file that the oracle wrote about a configuration.
func (s *configSuite) kafka(t *testing.T, i int, suffix string) string {
	b, err := os.ReadFile(filepath.Join(s.dir, "expected", strconv.Itoa(i)+suffix))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// answers compares whether and why configurations are refused.
func (s *configSuite) answers(t *testing.T) {
	t.Chdir(s.dir) // where Kafka was
	accepted, failed, lucky := 0, 0, 0
	classes := map[string]int{}
	for i, text := range s.texts {
		want := s.exception(t, i)
		if want == "" {
			accepted++
		} else {
			class, _, _ := strings.Cut(want, ":")
			classes[class]++
		}
		c, err := outside.Load([]byte(text), nil)
		got := ""
		if err != nil {
			got = exceptionText(err)
		}
		why := ""
		switch {
		case got != want && byLuck(text, want):
			lucky++
		case got != want:
			why = fmt.Sprintf("Kafka: %s\n ours: %s", orAccepted(want), orAccepted(got))
		case err == nil:
			why = compareDirs(s.kafka(t, i, ".out"), c)
			if name := fmt.Sprintf("%d.properties", i); len(s.good) < maxSettings {
				s.good = append(s.good, name)
				s.configs[name] = c
			}
		}
		if why != "" {
			if failed++; failed <= maxShown {
				t.Errorf("configuration %d of seed %d:\n%s\n%s", i, s.seed, why, text)
			}
		}
	}
	if failed > 0 {
		t.Errorf("%d of %d configurations differ", failed, len(s.texts))
	}
	t.Logf("%d compared, %d accepted, %d in another order, exceptions: %v", len(s.texts), accepted, lucky, classes)
	if lucky > 2+len(s.texts)/maxLucky {
		t.Errorf("%d answers differ in the order of a map, more than one in %d", lucky, maxLucky)
	}
	if accepted < len(s.texts)/10 || accepted > len(s.texts)*4/5 {
		t.Errorf("%d of %d accepted: the maker is out of balance", accepted, len(s.texts))
	}
}

// values has Kafka print all values of good configurations, and compares them
// with ours.
func (s *configSuite) values(t *testing.T) {
	java(t, s.dir, append([]string{"Settings", "settings"}, s.good...)...)
	b, err := os.ReadFile(filepath.Join(s.dir, "settings"))
	if err != nil {
		t.Fatal(err)
	}
	blocks := strings.Split(strings.TrimSuffix(string(b), "\n\n"), "\n\n")
	if len(blocks) != len(s.good) {
		t.Fatalf("Kafka printed %d configurations of %d", len(blocks), len(s.good))
	}
	known := len(slices.DeleteFunc(kafkaconfig.Definitions(), func(d kafkaconfig.Definition) bool { return !d.Releases.Current() }))
	escape := strings.NewReplacer("\\", "\\\\", "\n", "\\n", "\r", "\\r")
	values, failed := 0, 0
	for _, block := range blocks {
		list := strings.Split(block, "\n")
		c, keys := s.configs[list[0]], 0
		for _, l := range list[1:] {
			key, want, _ := strings.Cut(l, "\t")
			got := halfSurrogates.Replace(escape.Replace(showSetting(c, key)))
			if values++; !strings.HasPrefix(key, "+") {
				keys++
			}
			if got != want && !sameNumber(got, want) {
				if failed++; failed <= maxShown {
					t.Errorf("%s: %s\nKafka: %q\n ours: %q", list[0], key, want, got)
				}
			}
		}
		if keys != known {
			t.Errorf("%s: Kafka has %d keys, we %d", list[0], keys, known)
		}
	}
	t.Logf("%d values of %d configurations compared", values, len(blocks))
}

// outside is what the drawn configurations may look up.
var outside = kafkaconfig.Outside{LookupEnv: os.LookupEnv, FS: vfs.OS, RealPath: realPath}

func realPath(name string) (string, error) {
	abs, err := filepath.Abs(name)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(abs)
}

// providerFiles makes what the drawn ${...} refer to.
func providerFiles(t *testing.T, dir string) {
	t.Setenv("KRAFTCTL_TEST_DIRS", " d1,d2 ")
	t.Setenv("KRAFTCTL_TEST_NUMBER", "17")
	files := map[string]string{
		"values": "dirs=d3,d4\nnumber = 5\nnumber=6\nname=\\u00e9\xc3\xa9\n", "bad": "name=\\u12\n", "latin1": "name=\xe9\n",
		"secrets/dirs": "d5\n", "secrets/number": "7", "secrets/latin1": "\xff", "secrets/sub/x": "1",
	}
	if err := os.MkdirAll(filepath.Join(dir, "secrets/sub"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

const invalidAddresses = "max.connections.per.ip.overrides contains invalid addresses : "

// byLuck reports whether Kafka's answer depends on the order of a map that it
// goes through in another order with each start of the JVM: ours would be the
// same if other entries came first, or has the same addresses.
func byLuck(text, want string) bool {
	list, err := props.Read([]byte(text), props.Latin1)
	if err != nil {
		return false
	}
	list = props.Unique(list)
	for i, p := range list {
		if p.Key != "max.connections.per.ip.overrides" && p.Key != "listener.security.protocol.map" {
			continue
		}
		entries := strings.Split(p.Value, ",")
		for first := range entries {
			for second := range entries {
				turned := []string{entries[first]}
				if second != first {
					turned = append(turned, entries[second])
				}
				for k, e := range entries {
					if k != first && k != second {
						turned = append(turned, e)
					}
				}
				list[i].Value = strings.Join(turned, ",")
				if _, err := outside.New(list); err != nil && sortAddresses(exceptionText(err)) == sortAddresses(want) {
					return true
				}
			}
		}
		list[i] = p
	}
	return false
}

func sortAddresses(s string) string {
	before, after, ok := strings.Cut(s, invalidAddresses)
	if !ok {
		return s
	}
	addresses := strings.Split(after, ",")
	slices.Sort(addresses)
	return before + invalidAddresses + strings.Join(addresses, ",")
}

func orAccepted(s string) string {
	if s == "" {
		return "(accepted)"
	}
	return s
}

// exceptionText is an error as the JVM prints it.
func exceptionText(err error) string {
	var e *javaerr.Exception
	if errors.As(err, &e) {
		return halfSurrogates.Replace(e.Error())
	}
	return err.Error()
}

// halfSurrogates prints the halves that the maker draws as Java does in UTF-8.
var halfSurrogates = strings.NewReplacer("\xed\xa0\xbd", "?", "\xed\xb8\x80", "?")

// showSetting prints a value, or something that is worked out of several.
func showSetting(c *kafkaconfig.Config, key string) string {
	endpoints := func(list []kafkaconfig.Endpoint) string {
		var b strings.Builder
		for _, e := range list {
			host := e.Host
			if !e.HasHost {
				host = "null"
			}
			fmt.Fprintf(&b, "%s|%s|%d|%s ", e.Name, host, e.Port, e.SecurityProtocol)
		}
		return b.String()
	}
	switch key {
	case "+listeners":
		return endpoints(c.Listeners)
	case "+brokers":
		return endpoints(c.EffectiveAdvertisedBrokerListeners())
	case "+controllers":
		return endpoints(c.EffectiveAdvertisedControllerListeners())
	case "+interbroker":
		return c.InterBrokerListener
	case "+metadata":
		return c.MetadataLogDir
	case "+dirs":
		return "[" + strings.Join(c.LogDirs, ", ") + "]"
	case "+voters":
		list, _ := c.List("controller.quorum.voters")
		if strings.Contains(strings.Join(list, ","), "@0.0.0.0:") {
			return "unroutable"
		}
		voters := slices.Clone(c.Voters)
		slices.SortFunc(voters, func(a, b kafkaconfig.Voter) int { return int(a.ID) - int(b.ID) })
		var b strings.Builder
		for _, v := range voters {
			fmt.Fprintf(&b, "%d|%s|%d ", v.ID, v.Host, v.Port)
		}
		return b.String()
	}
	return c.Show(key)
}

// sameNumber is for Java before 19, which gives some doubles a digit too many.
func sameNumber(a, b string) bool {
	x, err1 := strconv.ParseFloat(a, 64)
	y, err2 := strconv.ParseFloat(b, 64)
	return err1 == nil && err2 == nil && x == y && strings.ContainsAny(b, ".E")
}

// compareDirs looks for our directories in what info says of them.
func compareDirs(out string, c *kafkaconfig.Config) string {
	var theirs []string
	for _, l := range strings.Split(out, "\n") {
		l, indented := strings.CutPrefix(l, "  ")
		for _, problem := range []string{" does not exist", " is not a directory", " is not formatted."} {
			l = strings.TrimSuffix(l, problem)
		}
		if indented && !slices.Contains(theirs, l) {
			theirs = append(theirs, l)
		}
	}
	var ours []string
	for _, d := range c.Dirs() {
		// info makes paths of them, which have no slash at the end.
		if d = strings.TrimRight(halfSurrogates.Replace(d), "/"); !slices.Contains(ours, d) {
			ours = append(ours, d)
		}
	}
	slices.Sort(theirs)
	slices.Sort(ours)
	if !slices.Equal(theirs, ours) {
		return fmt.Sprintf("directories: Kafka's %q, ours %q", theirs, ours)
	}
	return ""
}
