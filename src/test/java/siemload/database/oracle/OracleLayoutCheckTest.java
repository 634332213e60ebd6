package siemload.database.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import siemload.database.EmbeddedServer;
import siemload.database.EmbeddedServer.EmbeddedOptions;
import siemload.database.Hint;
import siemload.database.IndexSet;
import siemload.database.LayoutFolder;
import siemload.database.Partitions;
import siemload.database.SearchSession;
import siemload.database.ServerAddress;
import siemload.database.Store;
import siemload.database.Store.DatasetKey;
import siemload.database.Target;
import siemload.database.Target.TargetOptions;
import siemload.database.TargetPlugin;
import siemload.database.Variant;
import siemload.database.contract.ContractSubject;
import siemload.database.memory.MemoryPlugin;
import siemload.dataset.DatasetReader;
import siemload.dataset.EventGenerator;
import siemload.event.SecurityEvent;
import siemload.query.Paging;
import siemload.run.layout.LayoutCheck;
import siemload.run.layout.LayoutQuestions;

/** What {@code check-layout} finds of layouts of one's own, on H2 in its Oracle mode. */
@Tag("any-java")
class OracleLayoutCheckTest {
    private static final int EVENTS_MADE = 250;
    private static final int LOADED = 200;
    private static final List<SecurityEvent> EVENTS = events();

    private static EmbeddedServer server;
    private static LayoutQuestions questions;
    private static int layouts;

    private static List<SecurityEvent> events() {
        EventGenerator generator =
                new EventGenerator(DatasetReader.read(Path.of("src/test/resources/datasets/few.yaml")));
        return IntStream.range(0, EVENTS_MADE).mapToObj(generator::event).toList();
    }

    @BeforeAll
    static void askTheReference() {
        server = new H2Plugin().startEmbedded(new EmbeddedOptions(Path.of(""), 10));
        TargetPlugin memory = new MemoryPlugin();
        Variant variant = new Variant(memory.abilities().layouts().get(0), IndexSet.NONE, Hint.NONE, Paging.OFFSET);
        try (Target target = memory.connect(new ServerAddress("", "", ""), options(variant));
                Store store = loaded(target, EVENTS);
                SearchSession reference = store.openSession()) {
            questions = LayoutQuestions.about(EVENTS, Set.of(Paging.OFFSET, Paging.KEYSET), reference);
        }
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @ParameterizedTest
    @EnumSource(Partitions.class)
    void aCopyOfSiemloadsAnswersRightly(Partitions partitions) {
        assertThat(firstFault(OwnOracleFolder.copy(partitions))).isEmpty();
    }

    @Test
    @Tag("exhaustive")
    void oneOfRowsForEachAddressAndEachValueAnswersRightly() {
        assertThat(firstFault(OwnOracleFolder.lists())).isEmpty();
    }

    /** Each fault with the search that shows it first. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            condition-{side}-address.sql | <= :'last' | < :'first' | : event \\S+ is missing
            condition-category.sql | e.category = :'text' | e.category = :'several' | : event \\S+ is missing
            insert-event.sql | | INSERT INTO :"event" (:columns) VALUES (:'id', :'id_text', :'detect_time', :'description', :'category', :'detector', :'target_addresses', :'target_first', :'target_last', :'source_addresses', :'source_first', :'source_last', :'source_port', :'target_port', :'first_protocol', :'last_protocol', :'connections', :'long_description', :'json') | is Line.* instead of Line
            present.sql | IN (:ids) | NOT IN (:ids) | feeding fails: Unique
            count.sql | COUNT(*) | COUNT(*) + 1 | counted 251 instead of 250
            top-list.sql | DESC | ASC | line
            condition-{side}-port.sql | e.{side}_port | e.sauce_port | the search fails: .*(?i)sauce_port
            """)
    void aWrongFileIsCaughtWithTheFirstWrongAnswer(String file, String from, String to, String fault) {
        LayoutFolder wrong = OwnOracleFolder.with(OwnOracleFolder.copy(Partitions.NONE), file, text -> {
            if (from == null) {
                return to;
            }
            assertThat(text).contains(from);
            return text.replace(from, to);
        });
        assertThat(firstFault(wrong))
                .hasValueSatisfying(found -> assertThat(found).containsPattern(fault));
    }

    private static Optional<String> firstFault(LayoutFolder folder) {
        Variant variant = OwnOracleFolder.variant(folder, IndexSet.NATIVE, Hint.NONE);
        try (Target target = new H2Plugin().connect(server.address(), options(variant));
                Store store = loaded(target, EVENTS.subList(0, LOADED))) {
            Optional<String> wrong =
                    LayoutCheck.feed(store, EVENTS.subList(0, LOADED), EVENTS.subList(LOADED, EVENTS.size()));
            if (wrong.isEmpty()) {
                wrong = LayoutCheck.check(store, questions, answers -> {});
            }
            return wrong;
        }
    }

    private static Store loaded(Target target, List<SecurityEvent> events) {
        String fingerprint = String.format(Locale.ROOT, "%016x", layouts++);
        DatasetKey key = new DatasetKey(fingerprint, "few", events.size());
        ContractSubject.load(target, key, events);
        return target.copy(key, "check-layout");
    }

    private static TargetOptions options(Variant variant) {
        return new TargetOptions(variant, Duration.ofSeconds(20), 4);
    }
}
