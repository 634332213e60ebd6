package siemload.load;

import io.gatling.core.action.Action;
import io.gatling.core.structure.ScenarioContext;

/** An action that searches: it has the engine that searches for all users, and the log of their answers. */
abstract class SearchingAction extends GatlingAction {
    private final SearchProtocol.Components protocol;

    SearchingAction(String name, ScenarioContext context, Action next) {
        super(name, context, next);
        protocol = context.protocolComponentsRegistry().components(SearchProtocol.KEY);
    }

    final LoadEngine engine() {
        return protocol.engine();
    }

    final ResponseLog log() {
        return protocol.log();
    }
}
