package siemload.database.mongodb;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.bson.Document;
import siemload.database.FirstNames;

/**
 * What a user may do, by the answer of {@code connectionStatus} with {@code showPrivileges}. Immutable.
 *
 * @param user empty where the server knows of none
 * @param writing the actions that change data or the server, each with where it may be done
 * @param isTold whether the server tells rights at all
 */
record UserRights(String user, List<String> writing, boolean isTold) {
    private static final int SHOWN = 3;

    /** Of the manual's privilege actions those that change something which outlives the connection. */
    private static final Set<String> WRITING = Set.of(
            "anyAction",
            "insert",
            "update",
            "remove",
            "bypassDocumentValidation",
            "applyOps",
            "bypassWriteBlockingMode",
            "collMod",
            "convertToCapped",
            "createCollection",
            "createIndex",
            "createSearchIndexes",
            "dropCollection",
            "dropDatabase",
            "dropIndex",
            "dropSearchIndex",
            "enableProfiler",
            "renameCollectionSameDB",
            "changeCustomData",
            "changePassword",
            "createRole",
            "createUser",
            "dropRole",
            "dropUser",
            "grantRole",
            "revokeRole",
            "killop",
            "killAnyCursor",
            "killAnySession",
            "fsync",
            "setParameter",
            "setUserWriteBlockMode",
            "shutdown",
            "replSetReconfig",
            "replSetStateChange",
            "internal");

    UserRights {
        writing = List.copyOf(writing);
    }

    static UserRights of(Document status) {
        Document told = status.get("authInfo", new Document());
        List<Document> users = told.getList("authenticatedUsers", Document.class, List.of());
        TreeSet<String> writing = new TreeSet<>();
        for (Document privilege : told.getList("authenticatedUserPrivileges", Document.class, List.of())) {
            String where = where(privilege.get("resource", new Document()));
            privilege.getList("actions", String.class, List.of()).stream()
                    .filter(WRITING::contains)
                    .forEach(action -> writing.add(action + where));
        }
        return new UserRights(
                users.isEmpty() ? "" : users.get(0).getString("user"),
                List.copyOf(writing),
                told.containsKey("authenticatedUserPrivileges"));
    }

    private static String where(Document resource) {
        if (!(resource.get("db") instanceof String database)) {
            return resource.containsKey("cluster") ? " on the cluster" : " anywhere";
        }
        String collection = resource.get("collection") instanceof String name ? name : "";
        return " on " + (database.isEmpty() ? "all databases" : database)
                + (collection.isEmpty() ? "" : "." + collection);
    }

    /** Why such a user is not taken; empty if nothing speaks against it. */
    Optional<String> refusal(String where) {
        return writing.isEmpty()
                ? Optional.empty()
                : Optional.of("the user " + user + " may do more on MongoDB at " + where + " than read ("
                        + FirstNames.of(writing, SHOWN)
                        + "), and no session there can be kept from it; take a user that can only read, which an"
                        + " administrator makes by: db.createUser({user: 'siemload_reader', pwd: passwordPrompt(), roles:"
                        + " [{role: 'read', db: '" + where.replaceFirst(".*/", "") + "'}, {role: 'clusterMonitor', db:"
                        + " 'admin'}]})");
    }

    /** What people should know of it, a line each. */
    List<String> lines() {
        if (user.isEmpty()) {
            return List.of(
                    "the server does not say who this is: without access control anybody may write there; siemload"
                            + " sends commands that are known to read, and no others");
        }
        return isTold
                ? List.of()
                : List.of("the server does not tell what the user " + user + " may do; siemload sends commands that are"
                        + " known to read, and no others");
    }
}
