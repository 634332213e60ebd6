package siemload.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import siemload.config.ConfigException;

final class DatasetReaderTest {
    @TempDir
    private Path directory;

    @Test
    void theFileOfTheDayHasItsNumbers() {
        DatasetSpec day = DatasetReader.read(ShippedDatasets.DIRECTORY.resolve("cesnet-day.yaml"));

        assertThat(day.name()).isEqualTo("cesnet-day");
        assertThat(day.events()).isEqualTo(1_149_054);
        assertThat(day.span()).hasHours(24);
        assertThat(day.profile().detectors().shares()).hasSize(34);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "events: 200_000 | events: 0 | smoke.yaml:4:9: events: 0 is too small",
                "span: 7d | span: 90m | smoke.yaml:6:7: span: 90m is not a number of whole hours",
                "T00:00:00Z | T00:30:00Z | smoke.yaml:5:8: start: 2016-06-06T00:30:00Z is not a whole hour",
                "events: 200_000 | evnets: 200_000 | did you mean events?",
                "cesnet.yaml | cesnte.yaml | smoke.yaml:8:10: profile: there is no file",
            })
    void whatIsWrongInADataSetIsSaidWithItsPlace(String good, String bad, String message) throws IOException {
        copy("profiles/cesnet.yaml", "", "");
        copy("smoke.yaml", good, bad);

        assertThat(problems()).contains(message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "secondRatio: 0.0001 | secondRatio: 1.5 | secondRatio: 1.5 is too large (allowed: 0 to 1)",
                "dayCurve: [62, | dayCurve: [ | dayCurve: has 23 weights (allowed: 24",
                "share: 70 | share: 0 | categories.shares",
                "single: 65 | single: -1 | targetKinds.single: -1 is too small",
                "{24: 60, | {33: 60, | targetKinds.networkBits.33",
                "addresses: 40_000 | addresses: 400_000 | targets.networks: these and the scattered networks have room",
                "rank: 10} | rank: 60_001} | the last has rank 60001 (allowed: up to the number of addresses, 60000)",
                "rank: 10} | rank: 1040} | the same address or rank is known already",
                "count: 48 | count: 257 | 208.100.26.0/24 has fewer than 257 addresses",
                "range: 208.100.26.0/24 | range: 208.100.26 | is not an IP address",
                "noteRatio | notRatio | did you mean noteRatio?",
            })
    void whatIsWrongInAProfileIsSaidWithItsPlace(String good, String bad, String message) throws IOException {
        copy("smoke.yaml", "", "");
        copy("profiles/cesnet.yaml", good, bad);

        assertThat(problems()).containsPattern("cesnet.yaml:\\d+:\\d+: ").contains(message);
    }

    @Test
    void aProfileThatCannotBeReadIsToldBesideTheOtherProblems() throws IOException {
        copy("smoke.yaml", "events: 200_000", "events: many");
        Files.createDirectories(directory.resolve("profiles/cesnet.yaml"));

        assertThat(problems()).contains("events: 'many' is not", "cesnet.yaml: is a directory (needed: a file)");
    }

    @Test
    void problemsOfBothFilesAreToldAtOnce() throws IOException {
        copy("smoke.yaml", "events: 200_000", "events: many");
        copy("profiles/cesnet.yaml", "ip6Ratio: 0.01", "ip6Ratio: 2");

        assertThat(problems()).contains("'many' is not a whole number").contains("ip6Ratio: 2 is too large");
    }

    @Test
    void aProfileMayStandInTheFileItself() throws IOException {
        String profile = Files.readString(ShippedDatasets.DIRECTORY.resolve("profiles/cesnet.yaml"));
        copy("smoke.yaml", "profile: profiles/cesnet.yaml", "profile:\n" + profile.indent(2));

        DatasetSpec spec = DatasetReader.read(directory.resolve("smoke.yaml"));

        assertThat(spec).isEqualTo(ShippedDatasets.smoke());
    }

    private String problems() {
        ConfigException thrown =
                catchThrowableOfType(ConfigException.class, () -> DatasetReader.read(directory.resolve("smoke.yaml")));
        return Objects.toString(thrown.getMessage());
    }

    private void copy(String file, String good, String bad) throws IOException {
        String text = Files.readString(ShippedDatasets.DIRECTORY.resolve(file));
        assertThat(text).contains(good);
        Path copy = directory.resolve(file);
        Files.createDirectories(copy.getParent());
        Files.writeString(
                copy, good.isEmpty() ? text : text.replaceFirst(Pattern.quote(good), Matcher.quoteReplacement(bad)));
    }
}
