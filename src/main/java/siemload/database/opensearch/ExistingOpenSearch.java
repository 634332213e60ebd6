package siemload.database.opensearch;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import siemload.database.ExistingEvents;
import siemload.database.ExistingTarget;
import siemload.database.ServerUse;
import siemload.database.TargetException;
import siemload.database.TargetOptions;
import siemload.database.Transport;

/**
 * Indexes of an OpenSearch cluster as they are. The server has no sessions that only read: nothing is sent but searches and what tells
 * statistics, whatever the user may do.
 */
record ExistingOpenSearch(OpenSearchServer server) implements ExistingTarget {
    static ExistingOpenSearch connect(OpenSearchClient client, TargetOptions options) {
        if (!options.parameters().isEmpty()) {
            throw new TargetException(
                    "parameters of OpenSearch are settings of an index that siemload makes, and nothing is"
                            + " changed on those that are there already (leave -Dparameters out)");
        }
        return new ExistingOpenSearch(OpenSearchServer.connect(client, options));
    }

    /** The server tells a user's roles, and not what they allow. */
    @Override
    public List<String> rights() {
        Optional<JsonNode> user = OpenSearchErrors.trying(
                "see the rights of the user",
                () -> server.client().user(server.options().maintenanceTimeout()));
        return List.of(user.map(told -> "the user " + told.path("user_name").asText("") + " has the roles "
                        + String.join(
                                ", ",
                                Json.elements(told.path("roles"))
                                        .map(JsonNode::asText)
                                        .sorted()
                                        .toList())
                        + "; the server does not say whether they allow more than to read")
                .orElse("the server asks nobody who they are, so that whoever reaches it may do anything"));
    }

    @Override
    public String kept() {
        return "a search, which cannot write";
    }

    @Override
    public String version() {
        return server.version();
    }

    @Override
    public SortedMap<String, String> settings() {
        return server.settings();
    }

    @Override
    public Transport transport() {
        return server.transport();
    }

    @Override
    public Optional<ServerUse> use() {
        return Optional.of(server.use(List.of()));
    }

    @Override
    public ExistingEvents openEvents() {
        if (!server.variant().layout().isForSearchesAlone()) {
            return ExistingTarget.super.openEvents();
        }
        return new EventsOpenSearchStore(
                server.client(), server.variant(), server.options().searchTimeout());
    }

    @Override
    public void close() {}
}
