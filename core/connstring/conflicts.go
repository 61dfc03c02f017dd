package connstring

import "github.com/readpref/readpref/core/status"

// conflicts finds options that exclude or need each other whatever DNS says.
func (r *reader) conflicts() *status.Error {
	for _, pair := range tlsConflicts {
		if r.seen[pair[0]] && r.seen[pair[1]] {
			return r.conflict(int(pair[1]), "cannot be combined with "+table[pair[0]].name)
		}
	}
	if !r.c.SRV {
		for _, id := range [...]int{optionSRVMaxHosts, optionSRVServiceName} {
			if r.seen[id] {
				return r.conflict(id, "needs mongodb+srv://")
			}
		}
	}
	has := func(id int) bool { return r.c.get(id) != nil }
	for id := optionProxyPort; id <= optionProxyPassword; id++ {
		if has(id) && !has(optionProxyHost) {
			return r.conflict(id, "needs proxyHost")
		}
	}
	if has(optionProxyUsername) != has(optionProxyPassword) {
		return r.conflict(optionProxyUsername, "and proxyPassword need each other")
	}
	return nil
}

func (r *reader) conflict(id int, message string) *status.Error {
	name := table[id].name
	return fault(status.ConflictingOptions, r.path(name), name+" "+message)
}

// check fills the fields of options in, and finds combinations that no topology
// can have. Resolve calls it again: DNS adds options and hosts.
//
// URI Options specification, "directConnection URI option with multiple seeds or
// SRV URI"; Load Balancers specification, "URI Validation"; Initial DNS
// Seedlist Discovery specification, "URI Validation".
func (c *ConnString) check() *status.Error {
	c.fill()
	direct, balanced := c.DirectConnection.Value, c.LoadBalanced.Value
	several := (direct || balanced) && len(c.Hosts) > 1 && len(c.Seeds()) > 1
	switch {
	case direct && (several || c.SRV):
		return fault(status.DirectConnectionWithMultipleHosts, "options.directConnection", "a direct connection takes one host, and no mongodb+srv://")
	case balanced && several:
		return fault(status.LoadBalancedWithMultipleHosts, "options.loadBalanced", "a load balancer is one host")
	case balanced && c.ReplicaSet.Set:
		return fault(status.LoadBalancedWithReplicaSet, "options.loadBalanced", "loadBalanced cannot be combined with replicaSet")
	case balanced && direct:
		return fault(status.LoadBalancedWithDirectConnection, "options.loadBalanced", "loadBalanced cannot be combined with directConnection")
	case c.SRVMaxHosts.Value > 0 && c.ReplicaSet.Set:
		return fault(status.ConflictingOptions, "options.srvMaxHosts", "srvMaxHosts cannot be combined with replicaSet")
	case c.SRVMaxHosts.Value > 0 && balanced:
		return fault(status.ConflictingOptions, "options.srvMaxHosts", "srvMaxHosts cannot be combined with loadBalanced")
	}
	return nil
}

// fill sets the fields that have an option of their own.
func (c *ConnString) fill() {
	c.ReplicaSet = c.text(optionReplicaSet)
	c.DirectConnection = c.boolean(optionDirectConnection)
	c.LoadBalanced = c.boolean(optionLoadBalanced)
	c.LocalThresholdMS = c.integer(optionLocalThresholdMS)
	c.ServerSelectionTimeoutMS = c.integer(optionServerSelectionTimeoutMS)
	c.HeartbeatFrequencyMS = c.integer(optionHeartbeatFrequencyMS)
	c.ConnectTimeoutMS = c.integer(optionConnectTimeoutMS)
	c.SocketTimeoutMS = c.integer(optionSocketTimeoutMS)
	c.TimeoutMS = c.integer(optionTimeoutMS)
	c.ServerMonitoringMode = c.text(optionServerMonitoringMode)
	c.ServerSelectionTryOnce = c.boolean(optionServerSelectionTryOnce)
	c.MaxAdaptiveRetries = c.integer(optionMaxAdaptiveRetries)
	c.EnableOverloadRetargeting = c.boolean(optionEnableOverloadRetargeting)
	c.SRVServiceName = c.text(optionSRVServiceName)
	c.SRVMaxHosts = c.integer(optionSRVMaxHosts)
	c.TLS = c.boolean(optionTLS)
	if c.SRV && !c.TLS.Set {
		c.TLS = Maybe[bool]{Value: true, Set: true}
	}
}

func (c *ConnString) text(id int) (m Maybe[string]) {
	if o := c.get(id); o != nil {
		m = Maybe[string]{o.Text, true}
	}
	return m
}

//go:noinline
func (c *ConnString) integer(id int) (m Maybe[int64]) {
	if o := c.get(id); o != nil {
		m = Maybe[int64]{o.Int, true}
	}
	return m
}

//go:noinline
func (c *ConnString) boolean(id int) (m Maybe[bool]) {
	if o := c.get(id); o != nil {
		m = Maybe[bool]{o.Bool, true}
	}
	return m
}
