package siemload.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatling.commons.stats.OK$;
import io.gatling.commons.util.DefaultClock;
import io.gatling.core.CoreComponents;
import io.gatling.core.actor.ActorSystem;
import io.gatling.core.stats.StatsEngine;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import scala.Option;
import scala.collection.immutable.List$;

class WarmUpLogTest {

    @Test
    void itTakesWhatGatlingsOwnTakesUntilItIsClosed() {
        try (ActorSystem actors = new ActorSystem()) {
            WarmUpLog log = new WarmUpLog(
                    new CoreComponents(actors, null, null, Option.empty(), null, new DefaultClock(), null, null));

            Optional<StatsEngine> engine = log.engine();
            engine.orElseThrow()
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
            assertThat(log.engine()).as("one file is enough").isEqualTo(engine);

            log.close();
            log.close();
            log.empty();
            assertThat(log.engine()).isEmpty();
        }
    }

    @Test
    void whatIsClosedBeforeItWasNeededNeverOpensAFile() {
        try (WarmUpLog log = new WarmUpLog(null)) {
            log.close();

            assertThat(log.engine()).isEmpty();
        }
    }
}
