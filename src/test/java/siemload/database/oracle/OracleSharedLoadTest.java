package siemload.database.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import siemload.database.IndexSet;
import siemload.database.SharedLoad;
import siemload.database.Store.BulkLoad;
import siemload.database.Store.DatasetKey;
import siemload.database.Target;
import siemload.database.TargetException;
import siemload.database.contract.ContractSubject;
import siemload.event.SecurityEvent;

/** What of data sets that several processes load is Oracle's alone, on H2: days end somewhere. */
final class OracleSharedLoadTest {
    @RegisterExtension
    static final ContractSubject SUBJECT = new ContractSubject(new H2Plugin(), IndexSet.NATIVE);

    private static final DatasetKey KEY = new DatasetKey("00000000005a4e0a", "late", 2);
    private static final List<SecurityEvent> EVENTS =
            List.of(event("usual", "2016-06-06T12:00:00Z"), event("late", "4000-01-01T00:00:00Z"));

    @Test
    void aPartCannotHaveWhatTheDaysDoNotReach() {
        Target target = SUBJECT.target();
        try (SharedLoad load = target.loadTogether(KEY);
                BulkLoad part = target.joinLoad(load.nameToJoin())) {
            assertThatExceptionOfType(TargetException.class)
                    .isThrownBy(() -> part.write(EVENTS))
                    .withMessage(
                            "a part of " + load.nameToJoin() + " has an event of 4000-01-01T00:00:00Z, for which tables"
                                    + " cut into days have room only when all others are stored, so that several processes cannot"
                                    + " load it; give -Dinjectors=1 or -Dpartitions=none, or put its detect time right");
        }
        assertThat(target.holds(KEY)).isFalse();
    }

    private static SecurityEvent event(String id, String detected) {
        return new SecurityEvent(
                id, Instant.parse(detected), List.of("Test"), "", List.of(), List.of(), List.of(), Map.of());
    }
}
