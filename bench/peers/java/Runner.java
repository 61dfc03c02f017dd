// The Java driver's selection behind the bench's line protocol (bench/README.md). In the driver's package, since what it
// measures is private to that.
package com.mongodb.internal.connection;

import com.mongodb.ReadPreference;
import com.mongodb.ServerAddress;
import com.mongodb.Tag;
import com.mongodb.TagSet;
import com.mongodb.connection.ClusterConnectionMode;
import com.mongodb.connection.ClusterDescription;
import com.mongodb.connection.ClusterSettings;
import com.mongodb.connection.ClusterType;
import com.mongodb.connection.ServerConnectionState;
import com.mongodb.connection.ServerDescription;
import com.mongodb.connection.ServerSettings;
import com.mongodb.connection.ServerType;
import com.mongodb.internal.async.SingleResultCallback;
import com.mongodb.internal.selector.LatencyMinimizingServerSelector;
import com.mongodb.internal.selector.ReadPreferenceServerSelector;
import com.mongodb.selector.CompositeServerSelector;
import com.mongodb.selector.ServerSelector;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDocument;
import org.bson.BsonValue;

public final class Runner {
    private static final Map<String, ServerType> TYPES = Map.of(
            "RSPrimary", ServerType.REPLICA_SET_PRIMARY,
            "RSSecondary", ServerType.REPLICA_SET_SECONDARY,
            "Mongos", ServerType.SHARD_ROUTER);

    private static volatile Object sink;

    private final ClusterSettings settings;
    private final ClusterDescription description;
    private final ServerSelector selector;
    private final Map<ServerAddress, Server> servers = new HashMap<>();
    private final OperationContext.ServerDeprioritization deprioritization = new OperationContext.ServerDeprioritization();

    private Runner(BsonDocument request) {
        settings = ClusterSettings.builder().hosts(Collections.singletonList(new ServerAddress()))
                .localThreshold(request.getNumber("localThresholdMS").longValue(), TimeUnit.MILLISECONDS).build();
        BsonDocument topology = request.getDocument("topology");
        List<ServerDescription> described = new ArrayList<>();
        for (BsonValue v : topology.getArray("servers")) {
            ServerDescription d = describe(v.asDocument());
            described.add(d);
            servers.put(d.getAddress(), new Idle());
        }
        ServerSettings serverSettings = ServerSettings.builder()
                .heartbeatFrequency(request.getNumber("heartbeatFrequencyMS").longValue(), TimeUnit.MILLISECONDS).build();
        boolean sharded = topology.getString("type").getValue().equals("Sharded");
        description = new ClusterDescription(ClusterConnectionMode.MULTIPLE,
                sharded ? ClusterType.SHARDED : ClusterType.REPLICA_SET, described, settings, serverSettings);
        if (!description.isCompatibleWithDriver()) {
            throw new IllegalArgumentException("incompatible wire version");
        }
        selector = new ReadPreferenceServerSelector(preference(request.getDocument("readPreference")));
    }

    private static ServerDescription describe(BsonDocument server) {
        ServerDescription.Builder b = ServerDescription.builder()
                .address(new ServerAddress(server.getString("address").getValue()))
                .type(TYPES.get(server.getString("type").getValue()))
                .ok(true).state(ServerConnectionState.CONNECTED)
                .roundTripTime(Math.round(server.getNumber("roundTripTimeMS").doubleValue() * 1e6), TimeUnit.NANOSECONDS)
                .lastUpdateTimeNanos(TimeUnit.MILLISECONDS.toNanos(server.getNumber("lastUpdateTimeMS").longValue()))
                .minWireVersion(server.getNumber("minWireVersion").intValue())
                .maxWireVersion(server.getNumber("maxWireVersion").intValue());
        if (server.containsKey("tags")) {
            b.tagSet(tagSet(server.getDocument("tags")));
        }
        if (server.containsKey("lastWriteDate")) {
            b.lastWriteDate(new Date(server.getNumber("lastWriteDate").longValue()));
        }
        return b.build();
    }

    private static TagSet tagSet(BsonDocument tags) {
        List<Tag> list = new ArrayList<>();
        tags.forEach((name, value) -> list.add(new Tag(name, value.asString().getValue())));
        return new TagSet(list);
    }

    private static ReadPreference preference(BsonDocument document) {
        String mode = document.getString("mode").getValue();
        List<TagSet> tags = new ArrayList<>();
        if (document.containsKey("tags")) {
            document.getArray("tags").forEach(v -> tags.add(tagSet(v.asDocument())));
        }
        if (document.containsKey("maxStalenessSeconds")) {
            return ReadPreference.valueOf(mode, tags, document.getNumber("maxStalenessSeconds").longValue(), TimeUnit.SECONDS);
        }
        return tags.isEmpty() ? ReadPreference.valueOf(mode) : ReadPreference.valueOf(mode, tags);
    }

    /** What the driver's pick reads of a server. */
    private static final class Idle implements Server {
        @Override public Connection getConnection(OperationContext c) { throw new UnsupportedOperationException(); }

        @Override public void getConnectionAsync(OperationContext c, SingleResultCallback<AsyncConnection> callback) {
            throw new UnsupportedOperationException();
        }

        @Override public int operationCount() { return 0; }
    }

    private String window() {
        List<ServerDescription> found = new CompositeServerSelector(Arrays.asList(selector, new LatencyMinimizingServerSelector(
                settings.getLocalThreshold(TimeUnit.MILLISECONDS), TimeUnit.MILLISECONDS))).select(description);
        StringJoiner addresses = new StringJoiner("\",\"", "{\"window\":[\"", "\"]}");
        found.forEach(d -> addresses.add(d.getAddress().toString()));
        return addresses.toString();
    }

    private void cold(long n) {
        Cluster.ServersSnapshot snapshot = servers::get;
        for (long i = 0; i < n; i++) {
            sink = BaseCluster.createCompleteSelectorAndSelectServer(selector, description, snapshot, deprioritization, settings);
        }
    }

    public static void main(String[] arguments) throws Exception {
        java.util.logging.Logger.getLogger("").setLevel(java.util.logging.Level.OFF);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        Runner loaded = null;
        for (String line; (line = in.readLine()) != null; ) {
            String[] words = line.split("\t");
            String answer;
            try {
                if (words[0].equals("load")) {
                    loaded = new Runner(BsonDocument.parse(words[1]));
                    answer = loaded.window();
                } else if (words[0].equals("run") && words[1].equals("cold")) {
                    loaded.cold(Long.parseLong(words[2]));
                    answer = "{\"done\":" + words[2] + "}";
                } else {
                    answer = "{\"error\":\"cannot " + words[0] + "\"}";
                }
            } catch (RuntimeException e) {
                answer = "{\"error\":\"" + e.toString().replaceAll("[\"\\\\\\n]", "'") + "\"}";
            }
            System.out.println(answer);
            System.out.flush();
        }
    }
}
