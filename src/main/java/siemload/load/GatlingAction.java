package siemload.load;

import com.typesafe.scalalogging.Logger;
import com.typesafe.scalalogging.Logger$;
import io.gatling.core.action.Action;
import io.gatling.core.action.BlockExit;
import io.gatling.core.action.BlockExit$;
import io.gatling.core.session.Session;
import io.gatling.core.structure.ScenarioContext;
import org.slf4j.LoggerFactory;
import scala.Option;
import siemload.run.Breakdown;

/**
 * An action of ours in a Gatling scenario. Gatling's own base traits cannot be extended from Java, so the few lines that
 * matter stand here: move to the user's event loop, leave loops that are over, and never lose a user to an exception.
 */
abstract class GatlingAction implements Action {
    private final String name;
    private final ScenarioContext context;
    private final Action next;
    private final SearchProtocol.Components protocol;
    private Logger logger = Logger$.MODULE$.apply(LoggerFactory.getLogger(GatlingAction.class));

    GatlingAction(String name, ScenarioContext context, Action next) {
        this.name = name;
        this.context = context;
        this.next = next;
        this.protocol = context.protocolComponentsRegistry().components(SearchProtocol.KEY);
    }

    /** What searches for all users. */
    final LoadEngine engine() {
        return protocol.engine();
    }

    /** Takes the answers of all users. */
    final ResponseLog log() {
        return protocol.log();
    }

    /** What this action does with a user, on the user's event loop; must see to it that {@link #proceed} is called. */
    abstract void perform(Session session);

    /** Sends the user on; callable from any thread. */
    final void proceed(Session session) {
        next.$bang(session);
    }

    @Override
    public final void $bang(Session session) {
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
    public final void execute(Session session) {
        guarded(session, () -> perform(session), () -> proceed(session.markAsFailed()));
    }

    /**
     * Takes a step of a session; callable from any thread.
     *
     * @param afterCrash where a bug ended the step, which is reported before
     */
    final void guarded(Session session, Runnable step, Runnable afterCrash) {
        try {
            step.run();
        } catch (RuntimeException crash) {
            crashed(session, crash);
            afterCrash.run();
        } catch (Error broken) {
            Breakdown.tell(broken);
            throw broken;
        }
    }

    /** Reports a bug; callable from any thread. */
    final void crashed(Session session, RuntimeException crash) {
        LoggerFactory.getLogger(GatlingAction.class).error("{} crashed", name, crash);
        String message = crash.getClass().getSimpleName() + " " + crash.getMessage();
        context.coreComponents().statsEngine().logRequestCrash(session.scenario(), session.groups(), name, message);
    }

    @Override
    public final String name() {
        return name;
    }

    @Override
    public final Logger logger() {
        return logger;
    }

    @Override
    public final void com$typesafe$scalalogging$StrictLogging$_setter_$logger_$eq(Logger value) {
        logger = value;
    }
}
