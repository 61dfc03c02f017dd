package connstring

// Kind is the type of an option's value.
type Kind uint8

// The kinds of options.
const (
	KindString Kind = iota
	KindInt
	KindBool
	KindList  // strings with commas between them
	KindPairs // name:value, with commas between them
)

// row is an option of the specifications. The least and the most are those of
// an integer's value or a string's length; a most of 0 is no limit.
type row struct {
	name        string
	kind        Kind
	least, most int32
}

const (
	optionAppName = iota
	optionAuthMechanism
	optionAuthMechanismProperties
	optionAuthSource
	optionCompressors
	optionConnectTimeoutMS
	optionDirectConnection
	optionEnableOverloadRetargeting
	optionHeartbeatFrequencyMS
	optionJournal
	optionLoadBalanced
	optionLocalThresholdMS
	optionMaxAdaptiveRetries
	optionMaxConnecting
	optionMaxIdleTimeMS
	optionMaxPoolSize
	optionMinPoolSize
	optionProxyHost // the four of the proxy stand together
	optionProxyPort
	optionProxyUsername
	optionProxyPassword
	optionReadConcernLevel
	optionReplicaSet
	optionRetryReads
	optionRetryWrites
	optionServerMonitoringMode
	optionServerSelectionTimeoutMS
	optionServerSelectionTryOnce
	optionSocketTimeoutMS
	optionSRVMaxHosts
	optionSRVServiceName
	optionTimeoutMS
	optionTLS
	optionTLSAllowInvalidCertificates
	optionTLSAllowInvalidHostnames
	optionTLSCAFile
	optionTLSCertificateKeyFile
	optionTLSCertificateKeyFilePassword
	optionTLSDisableCertificateRevocationCheck
	optionTLSDisableOCSPEndpointCheck
	optionTLSInsecure
	optionW // a number or a string
	optionWaitQueueTimeoutMS
	optionWTimeoutMS
	optionZlibCompressionLevel
	optionCount

	// Other names of options above.
	aliasSSL      = optionCount
	aliasWTimeout = optionCount + 1
)

// URI Options specification, "List of specified options".
var table = [...]row{
	optionAppName:                              {name: "appname", most: 128},
	optionAuthMechanism:                        {name: "authMechanism", least: 1},
	optionAuthMechanismProperties:              {name: "authMechanismProperties", kind: KindPairs},
	optionAuthSource:                           {name: "authSource", least: 1},
	optionCompressors:                          {name: "compressors", kind: KindList},
	optionConnectTimeoutMS:                     {name: "connectTimeoutMS", kind: KindInt},
	optionDirectConnection:                     {name: "directConnection", kind: KindBool},
	optionEnableOverloadRetargeting:            {name: "enableOverloadRetargeting", kind: KindBool},
	optionHeartbeatFrequencyMS:                 {name: "heartbeatFrequencyMS", kind: KindInt, least: 500},
	optionJournal:                              {name: "journal", kind: KindBool},
	optionLoadBalanced:                         {name: "loadBalanced", kind: KindBool},
	optionLocalThresholdMS:                     {name: "localThresholdMS", kind: KindInt},
	optionMaxAdaptiveRetries:                   {name: "maxAdaptiveRetries", kind: KindInt},
	optionMaxConnecting:                        {name: "maxConnecting", kind: KindInt, least: 1},
	optionMaxIdleTimeMS:                        {name: "maxIdleTimeMS", kind: KindInt},
	optionMaxPoolSize:                          {name: "maxPoolSize", kind: KindInt},
	optionMinPoolSize:                          {name: "minPoolSize", kind: KindInt},
	optionProxyHost:                            {name: "proxyHost", least: 1},
	optionProxyPort:                            {name: "proxyPort", kind: KindInt, most: 65535},
	optionProxyUsername:                        {name: "proxyUsername", least: 1},
	optionProxyPassword:                        {name: "proxyPassword", least: 1},
	optionReadConcernLevel:                     {name: "readConcernLevel", least: 1},
	optionReplicaSet:                           {name: "replicaSet", least: 1},
	optionRetryReads:                           {name: "retryReads", kind: KindBool},
	optionRetryWrites:                          {name: "retryWrites", kind: KindBool},
	optionServerMonitoringMode:                 {name: "serverMonitoringMode"},
	optionServerSelectionTimeoutMS:             {name: "serverSelectionTimeoutMS", kind: KindInt},
	optionServerSelectionTryOnce:               {name: "serverSelectionTryOnce", kind: KindBool},
	optionSocketTimeoutMS:                      {name: "socketTimeoutMS", kind: KindInt},
	optionSRVMaxHosts:                          {name: "srvMaxHosts", kind: KindInt},
	optionSRVServiceName:                       {name: "srvServiceName", least: 1, most: 62},
	optionTimeoutMS:                            {name: "timeoutMS", kind: KindInt},
	optionTLS:                                  {name: "tls", kind: KindBool},
	optionTLSAllowInvalidCertificates:          {name: "tlsAllowInvalidCertificates", kind: KindBool},
	optionTLSAllowInvalidHostnames:             {name: "tlsAllowInvalidHostnames", kind: KindBool},
	optionTLSCAFile:                            {name: "tlsCAFile", least: 1},
	optionTLSCertificateKeyFile:                {name: "tlsCertificateKeyFile", least: 1},
	optionTLSCertificateKeyFilePassword:        {name: "tlsCertificateKeyFilePassword"},
	optionTLSDisableCertificateRevocationCheck: {name: "tlsDisableCertificateRevocationCheck", kind: KindBool},
	optionTLSDisableOCSPEndpointCheck:          {name: "tlsDisableOCSPEndpointCheck", kind: KindBool},
	optionTLSInsecure:                          {name: "tlsInsecure", kind: KindBool},
	optionW:                                    {name: "w", least: 1},
	optionWaitQueueTimeoutMS:                   {name: "waitQueueTimeoutMS", kind: KindInt, least: 1},
	optionWTimeoutMS:                           {name: "wTimeoutMS", kind: KindInt},
	optionZlibCompressionLevel:                 {name: "zlibCompressionLevel", kind: KindInt, least: -1, most: 9},
	aliasSSL:                                   {name: "ssl", kind: KindBool},
	aliasWTimeout:                              {name: "wtimeout", kind: KindInt},
}

// tlsConflicts are options that must not stand together, whatever their values.
//
// URI Options specification, "Conflicting TLS options".
var tlsConflicts = [...][2]uint8{
	{optionTLSInsecure, optionTLSAllowInvalidCertificates},
	{optionTLSInsecure, optionTLSAllowInvalidHostnames},
	{optionTLSInsecure, optionTLSDisableOCSPEndpointCheck},
	{optionTLSInsecure, optionTLSDisableCertificateRevocationCheck},
	{optionTLSAllowInvalidCertificates, optionTLSDisableOCSPEndpointCheck},
	{optionTLSAllowInvalidCertificates, optionTLSDisableCertificateRevocationCheck},
	{optionTLSDisableOCSPEndpointCheck, optionTLSDisableCertificateRevocationCheck},
}
