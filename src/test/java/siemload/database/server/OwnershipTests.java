package siemload.database.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import siemload.database.Store;
import siemload.database.Store.DatasetKey;
import siemload.database.Target;
import siemload.database.TargetException;
import siemload.database.contract.ContractSubject;
import siemload.event.IdeaReader;
import siemload.event.SecurityEvent;

/**
 * What belongs to siemload on a server on which a data set and a run have one thing each, a collection or an index, with a name.
 * {@link RegistryTest} tries on every day what is tried here by night.
 */
public interface OwnershipTests {
    /** Of one event, {@link #event}. */
    DatasetKey KEY = new DatasetKey("00000000abcdef03", "owned", 1);

    Target connect();

    /** How messages call what there is one of for each data set and run. */
    String thing();

    /** Of all things on the server, ours and others'. */
    List<String> names();

    /** Those that begin so. */
    default List<String> names(String start) {
        return names().stream().filter(name -> name.startsWith(start)).toList();
    }

    /** Makes the entry of one of ours whose name begins so one of a process that is gone: no living one of this machine has its start. */
    void kill(String start);

    /** Makes one of somebody else, with one document. */
    void make(String name);

    /** How many documents there are in one. */
    long documents(String name);

    /** Writes something into the registry. */
    void enter(String name, Map<String, Object> values);

    /** Deletes the events of one of ours behind siemload's back. */
    void empty(String name);

    @Test
    @Tag("exhaustive")
    default void theNextRunDropsTheCopyOfAKilledOneAndLeavesAConcurrentOneAlone() {
        try (Target target = connect()) {
            load(target);
            Store killed = target.copy(KEY, "killed");
            kill("siemload_run_killed_");
            try (Store concurrent = target.copy(KEY, "concurrent");
                    Target another = connect();
                    Store next = another.copy(KEY, "next")) {
                assertThat(names("siemload_run_")).hasSize(2).noneMatch(name -> name.contains("killed"));
                assertThat(concurrent.events()).isEqualTo(1);
                assertThat(next.events()).isEqualTo(1);
            }
            assertThat(names("siemload_run_")).isEmpty();
            killed.close();
        }
    }

    @Test
    @Tag("exhaustive")
    default void ofTwoLoadsAtOnceTheFirstThatIsCompleteIsKeptWholeAndOnlyThat() {
        try (Target one = connect();
                Target other = connect()) {
            one.load(
                    KEY,
                    first -> {
                        first.write(List.of(event("one")));
                        assertThat(one.holds(KEY)).isFalse();
                        other.load(KEY, second -> second.write(List.of(event("one"))), step -> {});
                    },
                    step -> {});
            assertThat(names("siemload_data_")).hasSize(1);
            try (Store store = one.copy(KEY, "after-both")) {
                assertThat(store.events()).isEqualTo(1);
            }
        }
    }

    @Test
    @Tag("exhaustive")
    default void aDataSetOfWhichEventsAreMissingIsNeitherKeptNorCopied() {
        DatasetKey larger = new DatasetKey(KEY.fingerprint(), "larger", 2);
        try (Target target = connect()) {
            assertThatExceptionOfType(TargetException.class)
                    .isThrownBy(() -> ContractSubject.load(target, larger, List.of(event("one"))))
                    .withMessageContaining("has 2 events, but 1 are in the " + thing() + " siemload_data_");
            assertThat(target.holds(larger)).isFalse();
            load(target);
            empty(names("siemload_data_").get(0));
            assertThatExceptionOfType(TargetException.class)
                    .isThrownBy(() -> target.copy(KEY, "damaged"))
                    .withMessageContaining(
                            "is damaged: it held 1 events when it was loaded, and now 0 events (check the disk for");
        }
    }

    @Test
    default void nothingOfOthersIsChangedWhateverItsNameAndWhateverStandsInTheRegistry() {
        List<String> theirs = List.of(
                "siemload_alerts",
                "siemload_run_of_the_year",
                "siemload_data_00000000abcdef03",
                "siemload_run_x_0badcafe");
        theirs.forEach(this::make);
        enter("theirs", Map.of("seen", 0));
        for (String name :
                List.of("siemload_alerts", "siemload_run_x_0badcafe", "siemload_registry", "siemload_alerts?x=[ ]")) {
            enter("/" + name, entryOfProcessThatIsGone(name));
        }
        work();
        assertThat(theirs).allSatisfy(name -> assertThat(documents(name)).isEqualTo(1));
        assertThat(names("siemload_data_")).containsExactly("siemload_data_00000000abcdef03");
    }

    /** As siemload would write it, but for a thing with another UUID. */
    private static Map<String, Object> entryOfProcessThatIsGone(String name) {
        Map<String, Object> entry = new HashMap<>();
        List.of("owner", "fingerprint", "label", "contents").forEach(text -> entry.put(text, ""));
        List.of("events", "beat", "seen").forEach(number -> entry.put(number, 0L));
        entry.putAll(Map.of("name", name, "purpose", "RUN", "identity", "AAAAAAAAAAAAAAAAAAAAAA", "holder", "gone"));
        return entry;
    }

    /** Loads, copies and discards a data set. */
    private void work() {
        for (int run = 0; run < Integer.getInteger("rounds", 1); run++) {
            try (Target target = connect()) {
                load(target);
                try (Store store = target.copy(KEY, "Run-" + run);
                        Store empty = target.emptyStore("empty-" + run)) {
                    assertThat(store.events()).isEqualTo(1);
                    assertThat(empty.events()).isZero();
                }
                target.discard(KEY);
            }
        }
    }

    static void load(Target target) {
        ContractSubject.load(target, KEY, List.of(event("one")));
    }

    static SecurityEvent event(String id) {
        return new IdeaReader().read("{\"ID\": \"" + id + "\", \"DetectTime\": \"2016-06-06T12:00:00Z\"}");
    }
}
