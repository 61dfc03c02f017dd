package readpref

// Mode says which members may serve a read. The zero value is Primary, the
// default of every MongoDB client.
//
// Server Selection specification, "mode".
type Mode uint8

// The five modes.
const (
	Primary Mode = iota
	PrimaryPreferred
	Secondary
	SecondaryPreferred
	Nearest
)

// ModeNames lists the names of the modes, in the order of their values. Do not
// modify it.
var ModeNames = [...]string{"primary", "primaryPreferred", "secondary", "secondaryPreferred", "nearest"}

// String returns the wire's spelling of the mode.
func (m Mode) String() string {
	if int(m) < len(ModeNames) {
		return ModeNames[m]
	}
	return "invalid"
}

// ParseMode returns the mode with exactly this spelling.
func ParseMode(name string) (Mode, bool) {
	for i, n := range ModeNames {
		if n == name {
			return Mode(i), true
		}
	}
	return Primary, false
}
