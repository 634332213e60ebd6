package siemload.database.registry;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** How processes of one machine find each other. */
@EnabledOnOs(OS.LINUX)
final class HolderTest {
    private static final long SELF = ProcessHandle.current().pid();

    @Test
    void aProcessIsFoundByWhatItHasWrittenOfItself() {
        String text = Holder.ofThisProcess().text();

        assertThat(Holder.numbersHere(List.of(text, text))).containsExactly(SELF);
        assertThat(Holder.numbersHere(List.of("?" + text.substring(text.indexOf(' ')))))
                .as("nobody knows of which machine")
                .isEmpty();
        assertThat(Holder.numbersHere(List.of("another-start" + text.substring(text.indexOf('/')))))
                .isEmpty();
        assertThat(Holder.numbersHere(List.of(text + "1"))).as("it began later").isEmpty();
        assertThat(Holder.numbersHere(List.of("nonsense"))).isEmpty();
    }
}
