package siemload.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import siemload.config.ConfigException;
import siemload.event.AddressRange;

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

    @Test
    void everyDataSetThatComesAlongNamesWhatTheStudySearchedForWithinItsTime() {
        for (String name : List.of("cesnet-day", "cesnet-week", "smoke")) {
            DatasetSpec spec = DatasetReader.read(ShippedDatasets.DIRECTORY.resolve(name + ".yaml"));

            SearchedValues study = spec.searched().getOrDefault("study", SearchedValues.NONE);

            assertThat(study.address()).as(name).contains(AddressRange.parse("195.113.252.33"));
            assertThat(study.range()).contains(AddressRange.parse("208.100.26.0-208.100.26.255"));
            assertThat(study.category()).contains("Recon.Scanning");
            assertThat(study.detector()).contains("cz.cesnet.hoststats");
            assertThat(study.between().orElseThrow().from()).isEqualTo("2016-06-06T12:00:00Z");
            assertThat(study.between().orElseThrow().until())
                    .isEqualTo(name.equals("cesnet-day") ? "2016-06-07T00:00:00Z" : "2016-06-12T12:00:00Z");
        }
    }

    @Test
    void theNamesOfSearchedValuesChangeNoEvent() {
        DatasetSpec smoke = ShippedDatasets.smoke();
        DatasetSpec without = new DatasetSpec(
                smoke.name(),
                smoke.description(),
                smoke.events(),
                smoke.start(),
                smoke.span(),
                smoke.seed(),
                smoke.profile(),
                Map.of());

        assertThat(new EventGenerator(smoke).fingerprint()).isEqualTo(new EventGenerator(without).fingerprint());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "events: 200_000 | events: 0 | smoke.yaml:3:9: events: 0 is too small",
                "span: 7d | span: 90m | smoke.yaml:5:7: span: 90m is not a number of whole hours",
                "T00:00:00Z | T00:30:00Z | smoke.yaml:4:8: start: 2016-06-06T00:30:00Z is not a whole hour",
                "events: 200_000 | evnets: 200_000 | did you mean events?",
                "until: 2016-06-12 | until: 2016-06-14 | until 2016-06-14T12:00:00Z is no time of this data set",
                "from: 2016-06-06 | from: 2016-06-13 | from 2016-06-13T12:00:00Z until 2016-06-12T12:00:00Z is no time",
                "address: 195.113.252.33 | address: 195.113.0.0/16 | study.address: '195.113.0.0/16' is no single address",
                "range: 208.100.26.0- | range: 208.100.27.0- | study.range: ",
                "study: | drawn: | searched.drawn: is no name of values",
                "port: 22 | prot: 22 | did you mean port?",
                "cesnet.yaml | cesnte.yaml | smoke.yaml:7:10: profile: there is no file",
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
