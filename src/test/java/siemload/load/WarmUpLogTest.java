package siemload.load;

import static org.assertj.core.api.Assertions.assertThatCode;

import io.gatling.commons.stats.OK$;
import io.gatling.commons.util.DefaultClock;
import io.gatling.core.CoreComponents;
import io.gatling.core.actor.ActorSystem;
import org.junit.jupiter.api.Test;
import scala.Option;
import scala.collection.immutable.List$;

class WarmUpLogTest {

    @Test
    void itTakesWhatGatlingsOwnTakesAndMayBeEmptiedAndClosedTwice() {
        try (ActorSystem actors = new ActorSystem()) {
            WarmUpLog log = new WarmUpLog(
                    new CoreComponents(actors, null, null, Option.empty(), null, new DefaultClock(), null, null));

            log.engine()
                    .logResponse(
                            "analysts",
                            List$.MODULE$.empty(),
                            "HAWAT1",
                            0,
                            1,
                            OK$.MODULE$,
                            Option.empty(),
                            Option.empty());
            log.empty();
            log.close();

            assertThatCode(() -> {
                        log.close();
                        log.empty();
                    })
                    .doesNotThrowAnyException();
        }
    }
}
