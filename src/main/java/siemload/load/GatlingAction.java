package siemload.load;

import com.typesafe.scalalogging.Logger;
import com.typesafe.scalalogging.Logger$;
import io.gatling.core.action.Action;
import io.gatling.core.action.BlockExit;
import io.gatling.core.action.BlockExit$;
import io.gatling.core.session.Session;
import io.gatling.core.structure.ScenarioContext;
import io.gatling.javaapi.core.ActionBuilder;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.LoggerFactory;
import scala.Option;
import siemload.load.SiemSimulation.SiemProtocol;
import siemload.measure.LatencyRecorder.Taker;
import siemload.run.Breakdown;

/**
 * An action of ours in a Gatling scenario. Gatling's own base traits cannot be extended from Java, so the few lines that
 * matter stand here: move to the user's event loop, leave loops that are over, and never lose a user to an exception.
 */
final class GatlingAction implements Action {
    private final String name;
    private final ScenarioContext context;
    private final Action next;
    private final SiemProtocol.Components protocol;
    private final Consumer<VirtualUser> behaviour;
    private Logger logger = Logger$.MODULE$.apply(LoggerFactory.getLogger(GatlingAction.class));

    private GatlingAction(String name, ScenarioContext context, Action next, Consumer<VirtualUser> behaviour) {
        this.name = name;
        this.context = context;
        this.next = next;
        this.protocol = context.protocolComponentsRegistry().components(SiemProtocol.KEY);
        this.behaviour = behaviour;
    }

    /** @param behaviour what it does with a user, on the user's event loop; must see to it that the user proceeds */
    static ActionBuilder of(String name, Consumer<VirtualUser> behaviour) {
        return () -> (context, next) -> new GatlingAction(name, context, next, behaviour);
    }

    @Override
    public void $bang(Session session) {
        if (!session.eventLoop().inEventLoop()) {
            if (!session.eventLoop().isShutdown()) {
                session.eventLoop().execute(() -> $bang(session));
            }
            return;
        }
        Option<BlockExit> exit = BlockExit$.MODULE$.mustExit(session);
        if (exit.isDefined()) {
            exit.get()
                    .exitBlock(
                            context.coreComponents().statsEngine(),
                            context.coreComponents().clock().nowMillis());
        } else {
            execute(session);
        }
    }

    @Override
    public void execute(Session session) {
        VirtualUser user = new VirtualUser(session);
        user.guarded(() -> behaviour.accept(user), user::proceedFailed);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Logger logger() {
        return logger;
    }

    @Override
    public void com$typesafe$scalalogging$StrictLogging$_setter_$logger_$eq(Logger value) {
        logger = value;
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
        LoadEngine engine() {
            return protocol.engine();
        }

        /** Takes the user's answers. */
        Taker log() {
            return log;
        }

        /** Sends the user on. */
        void proceed() {
            next.$bang(session);
        }

        /** Sends the user on, as one who met a failure. */
        void proceedFailed() {
            next.$bang(session.markAsFailed());
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
            LoggerFactory.getLogger(GatlingAction.class).error("{} crashed", name, crash);
            String message = crash.getClass().getSimpleName() + " " + crash.getMessage();
            context.coreComponents().statsEngine().logRequestCrash(session.scenario(), session.groups(), name, message);
        }
    }
}
