package siemload.load;

import io.gatling.core.CoreComponents;
import io.gatling.core.config.GatlingConfiguration;
import io.gatling.core.protocol.Protocol;
import io.gatling.core.protocol.ProtocolComponents;
import io.gatling.core.protocol.ProtocolKey;
import io.gatling.core.session.Session;
import scala.Function1;
import scala.runtime.BoxedUnit;
import siemload.run.Breakdown;

/**
 * Connects a Gatling simulation with one {@link LoadEngine}: starts it with the first user and finishes it when Gatling
 * is done. Thread-safe.
 */
final class SearchProtocol implements Protocol {
    static final ProtocolKey<SearchProtocol, Components> KEY = new Key();

    private final LoadEngine engine;

    SearchProtocol(LoadEngine engine) {
        this.engine = engine;
    }

    /** What actions and users see of the protocol. */
    record Components(LoadEngine engine, ResponseLog log) implements ProtocolComponents {

        @Override
        public Function1<Session, Session> onStart() {
            return session -> {
                Breakdown.guarded(() -> engine.start(session.eventLoop().parent(), log))
                        .run();
                return session;
            };
        }

        @Override
        public Function1<Session, BoxedUnit> onExit() {
            return session -> {
                engine.takeIn();
                return BoxedUnit.UNIT;
            };
        }
    }

    private static final class Key implements ProtocolKey<SearchProtocol, Components> {

        @Override
        @SuppressWarnings("unchecked") // Gatling indexes protocols by class and declares the key's type invariant
        public Class<Protocol> protocolClass() {
            return (Class<Protocol>) (Class<?>) SearchProtocol.class;
        }

        @Override
        public SearchProtocol defaultProtocolValue(GatlingConfiguration configuration) {
            throw new IllegalStateException("searches need a database: add .protocols(siem()) to setUp(...)");
        }

        /** The outer call runs once per simulation and the inner one once per scenario. */
        @Override
        public Function1<SearchProtocol, Components> newComponents(CoreComponents core) {
            ResponseLog log = new ResponseLog(core);
            boolean[] registered = {false};
            return protocol -> {
                if (!registered[0]) {
                    registered[0] = true;
                    core.actorSystem().registerOnTermination(() -> {
                        protocol.engine.finish();
                        log.close();
                        return BoxedUnit.UNIT;
                    });
                }
                return new Components(protocol.engine, log);
            };
        }
    }
}
