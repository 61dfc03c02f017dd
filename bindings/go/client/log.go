package client

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"strconv"
	"time"

	"github.com/readpref/readpref/core/cluster"
	"github.com/readpref/readpref/core/explain"
	"github.com/readpref/readpref/core/wire"
)

// selectionLog writes the messages of one selection. nil writes none.
//
// Server Selection specification, "Logging".
type selectionLog struct {
	ctx    context.Context
	logger *slog.Logger
	t      *Topology
	p      *cluster.Preference
	o      *Operation
}

func (t *Topology) log(ctx context.Context, p *cluster.Preference, o *Operation) *selectionLog {
	if t.options.Logger == nil || !t.options.Logger.Enabled(ctx, slog.LevelInfo) && !t.options.Logger.Enabled(ctx, slog.LevelDebug) {
		return nil
	}
	return &selectionLog{ctx, t.options.Logger, t, p, o}
}

func (l *selectionLog) started() { l.write(slog.LevelDebug, "Server selection started") }

func (l *selectionLog) waiting(left time.Duration) {
	l.write(slog.LevelInfo, "Waiting for suitable server to become available", slog.Int64("remainingTimeMS", left.Milliseconds()))
}

func (l *selectionLog) succeeded(address string) {
	if l == nil {
		return
	}
	// A socket's path has no port.
	host := slog.String("serverHost", address)
	if h, p, err := net.SplitHostPort(address); err == nil {
		if port, err := strconv.Atoi(p); err == nil {
			l.write(slog.LevelDebug, "Server selection succeeded", slog.String("serverHost", h), slog.Int("serverPort", port))
			return
		}
	}
	l.write(slog.LevelDebug, "Server selection succeeded", host)
}

// failed leaves the topology out of the failure: it is an attribute of its own.
func (l *selectionLog) failed(err error) {
	if l == nil {
		return
	}
	failure := err.Error()
	if t := (*TimeoutError)(nil); errors.As(err, &t) {
		failure = t.Unwrap().Error()
		if t.Cause == nil {
			failure = "server selection timed out after " + t.Waited.Round(time.Millisecond).String()
		}
	}
	l.write(slog.LevelDebug, "Server selection failed", slog.String("failure", failure))
}

func (l *selectionLog) write(level slog.Level, message string, more ...slog.Attr) {
	if l == nil || !l.logger.Enabled(l.ctx, level) {
		return
	}
	preference := l.p.Document()
	d, _ := l.t.deployment.Topology().Describe()
	attrs := append([]slog.Attr{
		slog.String("selector", string(explain.AppendPreference(nil, &preference))),
		slog.String("operation", l.o.Name),
	}, more...)
	if l.o.ID != 0 {
		attrs = append(attrs, slog.Int64("operationId", l.o.ID))
	}
	attrs = append(attrs, slog.String("topologyDescription", string(wire.AppendTopology(nil, &d))))
	l.logger.LogAttrs(l.ctx, level, message, attrs...)
}
