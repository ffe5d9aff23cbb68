package feature

import (
	"fmt"
	"strconv"
	"strings"

	"kraftctl/internal/javaerr"
)

// MetadataName is the feature whose levels are the metadata versions.
const MetadataName = "metadata.version"

// MetadataVersion is a level of metadata.version: which records there may be, and
// which versions of them (KIP-778).
type MetadataVersion int16

// The metadata versions, named after the release and the step in it.
const (
	V3_3_IV3 MetadataVersion = 7 + iota
	V3_4_IV0
	V3_5_IV0
	V3_5_IV1
	V3_5_IV2
	V3_6_IV0
	V3_6_IV1
	V3_6_IV2
	V3_7_IV0
	V3_7_IV1
	V3_7_IV2
	V3_7_IV3
	V3_7_IV4
	V3_8_IV0
	V3_9_IV0
	V4_0_IV0
	V4_0_IV1
	V4_0_IV2
	V4_0_IV3
	V4_1_IV0
	V4_1_IV1
	V4_2_IV0
	V4_2_IV1
	V4_3_IV0
	V4_4_IV0
	V4_4_IV1
	V4_4_IV2
	V4_5_IV0
)

// Bounds of the metadata versions that Kafka 4.4 knows.
const (
	MinimumMetadataVersion = V3_3_IV3
	LatestProduction       = V4_4_IV2
	LatestTesting          = V4_5_IV0
)

// What needs a metadata version.
const (
	SCRAMSince                 = V3_5_IV2 // UserScramCredentialRecord
	MetadataTransactionsSince  = V3_6_IV1 // Begin-, End- and AbortTransactionRecord
	DelegationTokensSince      = V3_6_IV2 // DelegationTokenRecord
	ControllerRegistrationFrom = V3_7_IV0 // RegisterControllerRecord
	DirectoryAssignmentSince   = V3_7_IV2 // directories of partitions (KIP-858)
	ELRSince                   = V4_0_IV1 // eligible leader replicas (KIP-966)
	CordonedDirectoriesSince   = V4_3_IV0
	CIDRAccessControlSince     = V4_4_IV1
	UnregisterControllerSince  = V4_4_IV2
)

// metadataVersion is a row of the table.
type metadataVersion struct {
	release string // "4.4"
	step    int    // 2 of IV2
	// changed: snapshots of the version before cannot hold what this one can.
	changed bool
	// Versions of inter-broker requests and of records.
	fetch, listOffsets, registerBroker, partition int16
}

// metadataVersions begins with level 7.
var metadataVersions = [...]metadataVersion{
	{"3.3", 3, true, 13, 7, 1, 0},
	{"3.4", 0, true, 13, 7, 2, 0},
	{"3.5", 0, false, 14, 8, 2, 0},
	{"3.5", 1, false, 15, 8, 2, 0},
	{"3.5", 2, true, 15, 8, 2, 0},
	{"3.6", 0, false, 15, 8, 2, 0},
	{"3.6", 1, true, 15, 8, 2, 0},
	{"3.6", 2, true, 15, 8, 2, 0},
	{"3.7", 0, true, 15, 8, 2, 0},
	{"3.7", 1, false, 15, 8, 2, 0},
	{"3.7", 2, true, 15, 8, 3, 1},
	{"3.7", 3, false, 15, 8, 3, 1},
	{"3.7", 4, false, 16, 8, 3, 1},
	{"3.8", 0, false, 16, 8, 3, 1},
	{"3.9", 0, false, 17, 9, 3, 1},
	{"4.0", 0, false, 17, 9, 3, 1},
	{"4.0", 1, true, 17, 9, 3, 2},
	{"4.0", 2, false, 17, 9, 3, 2},
	{"4.0", 3, false, 17, 10, 3, 2},
	{"4.1", 0, false, 17, 10, 3, 2},
	{"4.1", 1, false, 18, 10, 3, 2},
	{"4.2", 0, false, 18, 10, 3, 2},
	{"4.2", 1, false, 18, 11, 3, 2},
	{"4.3", 0, true, 18, 11, 4, 2},
	{"4.4", 0, false, 18, 11, 4, 2},
	{"4.4", 1, true, 18, 11, 4, 2},
	{"4.4", 2, true, 18, 11, 4, 2},
	{"4.5", 0, false, 18, 11, 4, 2},
}

// Known reports whether the table has the version.
func (v MetadataVersion) Known() bool {
	return v >= MinimumMetadataVersion && int(v-MinimumMetadataVersion) < len(metadataVersions)
}

// row gives the version's line of the table; that of the nearest version for one
// that the table does not have.
func (v MetadataVersion) row() *metadataVersion {
	return &metadataVersions[min(max(v, MinimumMetadataVersion), LatestTesting)-MinimumMetadataVersion]
}

// String is the name that Kafka shows, "4.4-IV2"; "UNKNOWN 99" for a level that
// the table does not have.
func (v MetadataVersion) String() string {
	if !v.Known() {
		return "UNKNOWN " + strconv.Itoa(int(v))
	}
	return v.row().release + "-IV" + strconv.Itoa(v.row().step)
}

// Stable reports whether production clusters may use the version.
func (v MetadataVersion) Stable() bool { return v <= LatestProduction }

// FetchVersion is the version of Fetch requests between brokers.
func (v MetadataVersion) FetchVersion() int16 { return v.row().fetch }

// ListOffsetsVersion is the version of ListOffsets requests between brokers.
func (v MetadataVersion) ListOffsetsVersion() int16 { return v.row().listOffsets }

// RegisterBrokerRecordVersion is the version in which RegisterBrokerRecords are written.
func (v MetadataVersion) RegisterBrokerRecordVersion() int16 { return v.row().registerBroker }

// PartitionRecordVersion is the version in which PartitionRecords are written,
// and the highest of PartitionChangeRecords.
func (v MetadataVersion) PartitionRecordVersion() int16 { return v.row().partition }

// MetadataChanged reports whether a snapshot of one of the versions cannot be
// told in the other: the way from the higher down to the lower crosses a version
// that brought new metadata.
func MetadataChanged(a, b MetadataVersion) bool {
	low, high := min(a, b), max(a, b)
	for v := high; v > low; v-- {
		if v.row().changed {
			return true
		}
	}
	return false
}

// ByLevel gives the version of a level. The error is Kafka's exception.
func ByLevel(level int16) (MetadataVersion, error) {
	v := MetadataVersion(level)
	if !v.Known() {
		return 0, javaerr.New(javaerr.IllegalArgument, fmt.Sprintf(
			"No MetadataVersion with feature level %d. Valid feature levels are from %d to %d.", level, MinimumMetadataVersion, LatestTesting))
	}
	return v, nil
}

// UnknownVersionError is a release version that there is not, or not for production.
type UnknownVersionError struct {
	Text      string
	Supported []MetadataVersion
}

// Error is Kafka's text, with all that there are.
func (e *UnknownVersionError) Error() string {
	names := make([]string, len(e.Supported))
	for i, v := range e.Supported {
		names[i] = v.String()
	}
	return "Unknown metadata.version '" + e.Text + "'. Supported metadata.version are: " + strings.Join(names, ", ")
}

// ByName gives the version that a --release-version means: a name ("4.4-IV1"), a
// release ("4.4"), which means its last stable version, or a full version of
// Kafka ("4.4.0"), of which the first two numbers count. A version above latest
// is unknown; so is a release without a version up to stable. The error is an
// *UnknownVersionError.
func ByName(text string, stable, latest MetadataVersion) (MetadataVersion, error) {
	name := text
	parts := strings.Split(text, ".")
	for len(parts) > 0 && parts[len(parts)-1] == "" {
		parts = parts[:len(parts)-1] // Java's split leaves out empty ones at the end
	}
	if len(parts) > 2 {
		name = parts[0] + "." + parts[1]
	}
	found := MetadataVersion(0)
	for v := MinimumMetadataVersion; v <= latest; v++ {
		if v.String() == name || v <= stable && v.row().release == name {
			found = v
		}
	}
	if found == 0 {
		return 0, &UnknownVersionError{Text: text, Supported: Between(MinimumMetadataVersion, latest)}
	}
	return found, nil
}

// Between lists the versions from low to high.
func Between(low, high MetadataVersion) []MetadataVersion {
	var all []MetadataVersion
	for v := low; v <= high; v++ {
		all = append(all, v)
	}
	return all
}
