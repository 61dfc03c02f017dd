// The Java driver's own selection behind the lines that ../../peer.go writes. In the driver's package, since some of what it
// calls is private to that.
package com.mongodb.internal.connection;

import com.mongodb.MongoException;
import com.mongodb.MongoIncompatibleDriverException;
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
import com.mongodb.internal.build.MongoDriverVersion;
import com.mongodb.internal.selector.AtMostTwoRandomServerSelector;
import com.mongodb.internal.selector.MinimumOperationCountServerSelector;
import com.mongodb.internal.selector.ReadPreferenceServerSelector;
import com.mongodb.internal.selector.ReadPreferenceWithFallbackServerSelector;
import com.mongodb.internal.selector.WritableServerSelector;
import com.mongodb.selector.CompositeServerSelector;
import com.mongodb.selector.ServerSelector;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;

public final class Peer {
    private static final Map<String, ServerType> TYPES = Map.of(
            "RSPrimary", ServerType.REPLICA_SET_PRIMARY, "RSSecondary", ServerType.REPLICA_SET_SECONDARY,
            "RSArbiter", ServerType.REPLICA_SET_ARBITER, "RSOther", ServerType.REPLICA_SET_OTHER, "RSGhost", ServerType.REPLICA_SET_GHOST,
            "Mongos", ServerType.SHARD_ROUTER, "Standalone", ServerType.STANDALONE, "LoadBalancer", ServerType.LOAD_BALANCER,
            "Unknown", ServerType.UNKNOWN, "PossiblePrimary", ServerType.UNKNOWN);

    /** MongoDB 5.0, from which on aggregates may write from a secondary. */
    private static final int FIRST_SECONDARY_WRITES = 13;

    private static ServerDescription describe(BsonDocument server) {
        ServerType type = TYPES.get(server.getString("type").getValue());
        ServerDescription.Builder b = ServerDescription.builder().address(new ServerAddress(server.getString("address").getValue())).type(type);
        if (type == ServerType.UNKNOWN) {
            return b.ok(false).state(ServerConnectionState.CONNECTING).build();
        }
        b.ok(true).state(ServerConnectionState.CONNECTED);
        if (server.containsKey("roundTripTimeMS")) {
            b.roundTripTime(Math.round(server.getNumber("roundTripTimeMS").doubleValue() * 1e6), TimeUnit.NANOSECONDS);
        }
        if (server.containsKey("tags")) {
            b.tagSet(tagSet(server.getDocument("tags")));
        }
        if (server.containsKey("lastWriteDate")) {
            b.lastWriteDate(new Date(server.getNumber("lastWriteDate").longValue()));
        }
        if (server.containsKey("lastUpdateTimeMS")) {
            b.lastUpdateTimeNanos(TimeUnit.MILLISECONDS.toNanos(server.getNumber("lastUpdateTimeMS").longValue()));
        }
        if (server.containsKey("minWireVersion")) {
            b.minWireVersion(server.getNumber("minWireVersion").intValue()).maxWireVersion(server.getNumber("maxWireVersion").intValue());
        }
        return b.build();
    }

    private static TagSet tagSet(BsonDocument tags) {
        List<Tag> list = new ArrayList<>();
        tags.forEach((name, value) -> list.add(new Tag(name, value.asString().getValue())));
        return new TagSet(list);
    }

    private static ClusterDescription cluster(BsonDocument request, List<ServerDescription> servers, ClusterSettings settings) {
        ClusterConnectionMode mode = ClusterConnectionMode.MULTIPLE;
        ClusterType type;
        switch (request.getDocument("topology").getString("type").getValue()) {
            case "ReplicaSetWithPrimary": case "ReplicaSetNoPrimary": type = ClusterType.REPLICA_SET; break;
            case "Sharded": type = ClusterType.SHARDED; break;
            case "LoadBalanced": type = ClusterType.LOAD_BALANCED; mode = ClusterConnectionMode.LOAD_BALANCED; break;
            case "Single": type = servers.get(0).getClusterType(); mode = ClusterConnectionMode.SINGLE; break;
            default: type = ClusterType.UNKNOWN;
        }
        ServerSettings serverSettings = ServerSettings.builder()
                .heartbeatFrequency(request.getNumber("heartbeatFrequencyMS").longValue(), TimeUnit.MILLISECONDS).build();
        return new ClusterDescription(mode, type, servers, settings, serverSettings);
    }

    /** As ConnectionString makes it. */
    private static ReadPreference preference(BsonDocument document) {
        String mode = document.getString("mode").getValue();
        List<TagSet> tags = new ArrayList<>();
        if (document.containsKey("tags")) {
            document.getArray("tags").forEach(v -> tags.add(tagSet(v.asDocument())));
        }
        long seconds = document.containsKey("maxStalenessSeconds") ? document.getNumber("maxStalenessSeconds").longValue() : -1;
        if (seconds == -1) {
            return tags.isEmpty() ? ReadPreference.valueOf(mode) : ReadPreference.valueOf(mode, tags);
        }
        return ReadPreference.valueOf(mode, tags, seconds, TimeUnit.SECONDS);
    }

    private static ServerSelector selector(BsonDocument request) {
        String operation = request.containsKey("operation") ? request.getString("operation").getValue() : "read";
        if (operation.equals("write")) {
            return new WritableServerSelector();
        }
        ReadPreference preference = preference(request.getDocument("readPreference"));
        if (operation.equals("aggregateWithWriteStage")) {
            return new ReadPreferenceWithFallbackServerSelector(preference, FIRST_SECONDARY_WRITES, ReadPreference.primary());
        }
        return new ReadPreferenceServerSelector(preference);
    }

    /** Attempts that failed are how the driver learns whom to avoid; outside sharded clusters only overload counts. */
    private static OperationContext.ServerDeprioritization deprioritization(BsonDocument request, ClusterType type) {
        OperationContext.ServerDeprioritization d = new OperationContext.ServerDeprioritization(true);
        MongoException overloaded = new MongoException("overloaded");
        overloaded.addLabel("SystemOverloadedError");
        for (BsonValue v : request.getArray("deprioritized", new BsonArray())) {
            d.updateCandidate(new ServerAddress(v.asString().getValue()), type);
            d.onAttemptFailure(overloaded);
        }
        return d;
    }

    private static BsonDocument select(BsonDocument request) throws Throwable {
        ClusterSettings settings = ClusterSettings.builder().hosts(Collections.singletonList(new ServerAddress()))
                .localThreshold(request.getNumber("localThresholdMS").longValue(), TimeUnit.MILLISECONDS).build();
        List<ServerDescription> servers = new ArrayList<>();
        Map<ServerAddress, Server> known = new HashMap<>();
        for (BsonValue v : request.getDocument("topology").getArray("servers")) {
            ServerDescription d = describe(v.asDocument());
            servers.add(d);
            known.put(d.getAddress(), new Idle());
        }
        ServerSelector asked = selector(request);
        ClusterDescription cluster = cluster(request, servers, settings);
        if (!cluster.isCompatibleWithDriver()) { // as BaseCluster does before it selects
            throw new MongoIncompatibleDriverException("incompatible wire version", cluster);
        }
        Cluster.ServersSnapshot snapshot = known::get;
        Method complete = BaseCluster.class.getDeclaredMethod("getCompleteServerSelector", ServerSelector.class,
                OperationContext.ServerDeprioritization.class, Cluster.ServersSnapshot.class, ClusterSettings.class);
        complete.setAccessible(true);
        BsonArray window = new BsonArray();
        try {
            ServerSelector whole = (ServerSelector) complete.invoke(null, asked, deprioritization(request, cluster.getType()), snapshot, settings);
            window(whole).select(cluster).forEach(d -> window.add(new BsonString(d.getAddress().toString())));
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
        return new BsonDocument("window", window);
    }

    /** The driver's whole selector without its last steps, which draw two servers and take the less busy. */
    private static ServerSelector window(ServerSelector whole) throws ReflectiveOperationException {
        Field field = CompositeServerSelector.class.getDeclaredField("serverSelectors");
        field.setAccessible(true);
        List<ServerSelector> steps = new ArrayList<>();
        for (Object step : (List<?>) field.get(whole)) {
            if (!(step instanceof AtMostTwoRandomServerSelector || step instanceof MinimumOperationCountServerSelector)) {
                steps.add((ServerSelector) step);
            }
        }
        return new CompositeServerSelector(steps);
    }

    private static final class Idle implements Server {
        @Override public Connection getConnection(OperationContext c) { throw new UnsupportedOperationException(); }

        @Override public void getConnectionAsync(OperationContext c, SingleResultCallback<AsyncConnection> callback) {
            throw new UnsupportedOperationException();
        }

        @Override public int operationCount() { return 0; }
    }

    public static void main(String[] arguments) throws Exception {
        java.util.logging.Logger.getLogger("").setLevel(java.util.logging.Level.OFF);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        PrintStream out = new PrintStream(System.out, false, "UTF-8");
        out.println(new BsonDocument("version", new BsonString(MongoDriverVersion.VERSION)).toJson());
        out.flush();
        for (String line; (line = in.readLine()) != null; ) {
            String[] words = line.split("\t");
            BsonDocument answer;
            if (!words[0].equals("select")) {
                answer = new BsonDocument("harness", new BsonString("cannot " + words[0]));
            } else {
                BsonDocument request = BsonDocument.parse(words[1]);
                try {
                    answer = select(request);
                } catch (ReflectiveOperationException e) {
                    answer = new BsonDocument("harness", new BsonString(e.toString()));
                } catch (Throwable e) {
                    answer = new BsonDocument("error", new BsonString(e.getClass().getSimpleName() + ": " + e.getMessage()));
                }
            }
            out.println(answer.toJson());
            out.flush();
        }
    }
}
