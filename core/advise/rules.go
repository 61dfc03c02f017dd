package advise

// Severity says how much a finding matters.
type Severity uint8

// The severities.
const (
	Info    Severity = iota // people should know
	Warning                 // it works, and not as it is meant, or not always
	Error                   // it fails, now or always
)

// SeverityNames lists the documents' names of the severities, in the order of their values.
var SeverityNames = [...]string{"info", "warning", "error"}

// Rule is what every finding of one code has in common.
type Rule struct {
	Code     string // a stable camelCase name
	Severity Severity
	Fix      string // what to do
	See      string // a section of a specification or of the MongoDB manual
}

// The places of the rules in Rules.
const (
	maxStalenessTooSmall = iota
	maxStalenessWithoutEffect
	severalRegions
	noSecondary
	oneSecondary
	tagSetMatchesNobody
	tagSetUnreachable
	noTagSetFallback
	analyticsFallback
	tagKeyUnknown
	primaryPreferredTags
	secondaryPreferredOnPrimary
	windowTooWide
	windowTooNarrow
	hedgeDeprecated
	writesBackStaleReads
	transactionNotPrimary
	tagsOnSharded
	directConnectionPreference
	loadBalancedPreference
	evenVotingMembers
	flowControlOff
	ruleCount
)

// Rules lists the rules, in the order in which a workload's findings come. Do not modify it.
var Rules = [ruleCount]Rule{
	maxStalenessTooSmall: {"maxStalenessTooSmall", Error, "raise maxStalenessSeconds, or lower heartbeatFrequencyMS",
		`Max Staleness specification, "Smallest allowed value for maxStalenessSeconds"`},
	maxStalenessWithoutEffect: {"maxStalenessWithoutEffect", Info, "leave maxStalenessSeconds out, or read from secondaries",
		`Server Selection specification, "maxStalenessSeconds"`},
	severalRegions: {"severalRegions", Warning, "set maxStalenessSeconds, 90 or more, or a tag set with the region",
		`Max Staleness specification, "Use case"`},
	noSecondary: {"noSecondary", Error, "use secondaryPreferred, or add a secondary",
		`Server Selection specification, "mode"`},
	oneSecondary: {"oneSecondary", Warning, "use secondaryPreferred, widen the tag sets, or add a secondary",
		`Server Selection specification, "mode"`},
	tagSetMatchesNobody: {"tagSetMatchesNobody", Warning, "correct the tag set or the members' tags, or remove the tag set",
		`Server Selection specification, "tag_sets"`},
	tagSetUnreachable: {"tagSetUnreachable", Warning, "put the tag set with more tags first, or remove it",
		`Server Selection specification, "tag_sets"`},
	noTagSetFallback: {"noTagSetFallback", Warning, "end the list with {}, unless a read had better fail than go elsewhere",
		`Server Selection specification, "tag_sets"`},
	analyticsFallback: {"analyticsFallback", Warning, "leave the {} out, so that these reads fail rather than load the others",
		`Atlas manual, "Analytics nodes"`},
	tagKeyUnknown: {"tagKeyUnknown", Warning, "spell the tag as the members do: case counts",
		`Server Selection specification, "Tag"`},
	primaryPreferredTags: {"primaryPreferredTags", Info, "use nearest where the tags must hold for the primary, too",
		`Server Selection specification, "primaryPreferred"`},
	secondaryPreferredOnPrimary: {"secondaryPreferredOnPrimary", Warning, "correct tag sets and maxStalenessSeconds, or add a secondary",
		`Server Selection specification, "secondaryPreferred"`},
	windowTooWide: {"windowTooWide", Warning, "lower localThresholdMS to keep reads near",
		`Server Selection specification, "localThresholdMS"`},
	windowTooNarrow: {"windowTooNarrow", Info, "raise localThresholdMS to spread reads",
		`Server Selection specification, "localThresholdMS"`},
	hedgeDeprecated: {"hedgeDeprecated", Warning, "leave hedge out",
		`Server Selection specification, "hedge"`},
	writesBackStaleReads: {"writesBackStaleReads", Error, "read with mode primary, or in one update with operators or a pipeline",
		`MongoDB manual, "Read Isolation, Consistency, and Recency"`},
	transactionNotPrimary: {"transactionNotPrimary", Error, "use mode primary in transactions",
		`Transactions specification, "readPreference"`},
	tagsOnSharded: {"tagsOnSharded", Warning, "end the list with {}: each shard is asked, and commands that go to the config servers as well",
		`Server Selection specification, "Topology type: Sharded"`},
	directConnectionPreference: {"directConnectionPreference", Warning, "connect with replicaSet= and without directConnection to let the preference choose",
		`Server Selection specification, "Topology type: Single"`},
	loadBalancedPreference: {"loadBalancedPreference", Info, "know that what is behind the load balancer chooses",
		`Load Balancer specification, "Server Selection"`},
	evenVotingMembers: {"evenVotingMembers", Warning, "add or remove a voting member",
		`MongoDB manual, "Replica Set Deployment Architectures"`},
	flowControlOff: {"flowControlOff", Warning, "leave flow control on (enableFlowControl), or set maxStalenessSeconds and watch the lag",
		`MongoDB manual, "Replication Lag and Flow Control"`},
}
