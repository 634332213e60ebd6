package siemload.load;

import siemload.query.SearchCatalog;
import siemload.query.SearchName;
import siemload.query.TrendCatalog;

/**
 * The words for writing a Gatling simulation of one's own:
 *
 * <pre>{@code
 * import static siemload.load.SiemDsl.*;
 *
 * public class Triage extends Simulation {
 *     SiemProtocol siem = siem();
 *
 *     ScenarioBuilder triage = scenario("triage").exec(
 *             search(HAWAT1).lastDays(7).newestFirst().page(100),
 *             pause(1),
 *             search(HAWAT3).category("Recon.Scanning").last(Duration.ofHours(24)).page(100, 2));
 *
 *     { setUp(triage.injectOpen(constantUsersPerSec(2).during(siem.duration()))).protocols(siem); }
 * }
 * }</pre>
 *
 * Stateless.
 */
public final class SiemDsl {
    private SiemDsl() {}

    /**
     * The database, data set, feeder and phases that the properties and their scenario file describe, ready to be
     * searched. Of the scenario file's analysts only their number counts: it says how many workers there are. Does not
     * return if something is wrong: the process then ends with a message.
     */
    public static SiemProtocol siem() {
        return SiemProtocol.open();
    }

    /**
     * A search of the catalogue: newest first, over the last seven days, the first page of 100, typical values.
     *
     * @throws IllegalArgumentException for a trend, which only tasks of a scenario have stored
     */
    public static SearchBuilder search(SearchName name) {
        if (TrendCatalog.summary(name).isPresent()) {
            throw new IllegalArgumentException(name + " is a trend, which nobody asks for (allowed: "
                    + SearchCatalog.builtIn().names().byName().keySet()
                    + "; for a trend a scenario with load: scheduled)");
        }
        return SearchBuilder.of(name);
    }
}
