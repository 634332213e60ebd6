package siemload.load;

import io.gatling.core.action.Action;
import io.gatling.core.action.BlockExit;
import io.gatling.core.action.BlockExit$;
import io.gatling.core.action.SessionHook;
import io.gatling.core.session.Session;
import io.gatling.core.structure.ScenarioContext;
import io.gatling.javaapi.core.ActionBuilder;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.LoggerFactory;
import scala.Option;
import siemload.load.LoadEngine.StartedLoad;
import siemload.load.SiemSimulation.SiemProtocol;
import siemload.measure.LatencyRecorder.Taker;
import siemload.run.Breakdown;

/**
 * An action of ours in a Gatling scenario. Gatling's own trait for those that leave loops which are over cannot be extended from Java,
 * so the few lines that matter stand here; and it never loses a user to an exception.
 */
final class GatlingAction extends SessionHook {
    private final ScenarioContext context;
    private final SiemProtocol.Components protocol;
    private final Consumer<VirtualUser> behaviour;

    private GatlingAction(String name, ScenarioContext context, Action next, Consumer<VirtualUser> behaviour) {
        // Nobody calls the hook's function: what it does with a session is said here.
        super(null, name, context.coreComponents().statsEngine(), next);
        this.context = context;
        this.protocol = context.protocolComponentsRegistry().components(SiemProtocol.KEY);
        this.behaviour = behaviour;
    }

    /** @param behaviour what it does with a user, on the user's event loop; must see to it that the user proceeds */
    static ActionBuilder of(String name, Consumer<VirtualUser> behaviour) {
        return () -> (context, next) -> new GatlingAction(name, context, next, behaviour);
    }

    @Override
    public void $bang(Session session) {
        Option<BlockExit> exit = BlockExit$.MODULE$.mustExit(session);
        if (exit.isDefined()) {
            exit.get().exitBlock(statsEngine(), context.coreComponents().clock().nowMillis());
        } else {
            super.$bang(session);
        }
    }

    @Override
    public void execute(Session session) {
        VirtualUser user = new VirtualUser(session);
        user.guarded(() -> behaviour.accept(user), user::proceedFailed);
    }

    /** One of Gatling's users at this action. Thread-safe. */
    final class VirtualUser {
        private final Session session;
        private final Taker log;

        private VirtualUser(Session session) {
            this.session = session;
            this.log = protocol.log().of(session);
        }

        /** What searches for all users. */
        StartedLoad load() {
            return protocol.engine().started();
        }

        /** Takes the user's answers. */
        Taker log() {
            return log;
        }

        /** Sends the user on. */
        void proceed() {
            next().$bang(session);
        }

        /** Sends the user on, as one who met a failure. */
        void proceedFailed() {
            next().$bang(session.markAsFailed());
        }

        /** Takes a step later, on the user's event loop; no longer, once Gatling has stopped that. */
        void after(Runnable step, long nanos) {
            if (!session.eventLoop().isShuttingDown()) {
                var unused = session.eventLoop().schedule(step, nanos, TimeUnit.NANOSECONDS);
            }
        }

        /** @param afterCrash where a bug ended the step, which is reported before */
        void guarded(Runnable step, Runnable afterCrash) {
            try {
                step.run();
            } catch (RuntimeException crash) {
                crashed(crash);
                afterCrash.run();
            } catch (Error broken) {
                Breakdown.tell(broken);
                throw broken;
            }
        }

        /** The same for a step behind which nothing is left to do. */
        void guarded(Runnable step) {
            guarded(step, () -> {});
        }

        /** Reports a bug. */
        void crashed(RuntimeException crash) {
            LoggerFactory.getLogger(GatlingAction.class).error("{} crashed", name(), crash);
            String message = crash.getClass().getSimpleName() + " " + crash.getMessage();
            statsEngine().logRequestCrash(session.scenario(), session.groups(), name(), message);
        }
    }
}
