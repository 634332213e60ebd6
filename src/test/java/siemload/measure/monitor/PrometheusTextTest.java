package siemload.measure.monitor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import siemload.measure.monitor.PrometheusText.Sample;

/** The example of the format's documentation, and what is none of it. */
class PrometheusTextTest {
    @Test
    void samplesAreReadWithTheirLabelsAndCommentsAreSkipped() {
        String text = """
                # HELP http_requests_total The total number of HTTP requests.
                # TYPE http_requests_total counter
                http_requests_total{method="post",code="200"} 1027 1395066363000
                http_requests_total{method="post",code="400"}    3 1395066363000

                # Escaping in label values:
                msdos_file_access_time_seconds{path="C:\\\\DIR\\\\FILE.TXT",error="Cannot find file:\\n\\"FILE.TXT\\""} 1.458255915e9
                \t # Minimalistic line:
                metric_without_timestamp_and_labels 12.47
                # A weird metric from before the epoch:
                something_weird{problem="division by zero"} +Inf -3982045
                with_blanks { le = "0.05" , } -.5e-3\r
                rpc:duration_seconds{} NaN
                """;

        assertThat(PrometheusText.read(text))
                .containsExactly(
                        new Sample("http_requests_total", Map.of("method", "post", "code", "200"), 1027),
                        new Sample("http_requests_total", Map.of("method", "post", "code", "400"), 3),
                        new Sample(
                                "msdos_file_access_time_seconds",
                                Map.of("path", "C:\\DIR\\FILE.TXT", "error", "Cannot find file:\n\"FILE.TXT\""),
                                1.458255915e9),
                        new Sample("metric_without_timestamp_and_labels", Map.of(), 12.47),
                        new Sample("something_weird", Map.of("problem", "division by zero"), Double.POSITIVE_INFINITY),
                        new Sample("with_blanks", Map.of("le", "0.05"), -0.0005),
                        new Sample("rpc:duration_seconds", Map.of(), Double.NaN));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "<html> | character 1: '<html>' is not what was expected there: the name of a metric",
                "9lives 1 | the name of a metric",
                "load | character 5: '' is not what was expected there: a value",
                "load 0x10 | character 7: 'x10' is not what was expected there: a blank, or the end of the line",
                "load 1 2 3 | character 10: '3' is not what was expected there: the end of the line",
                "load 1 soon | a time in milliseconds, or the end of the line",
                "load{a='1'} 1 | character 8: ''1'} 1' is not what was expected there: \"",
                "load{a=\"1} 1 | is not what was expected there: \"",
                "load{a=\"1\" b=\"2\"} 1 | character 12: 'b=\"2\"} 1' is not what was expected there: , or }",
                "load{a=\"1\",a=\"2\"} 1 | each label once, and not 'a' again",
                "load{a=\"\\t\"} 1 | \\, \" or n behind a \\",
                "load{a=\"1\" | , or }",
            })
    void whatIsNoneOfTheFormatIsRefusedWithItsPlace(String line, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PrometheusText.read("up 1\n" + line + "\n"))
                .withMessageStartingWith("line 2, character ")
                .withMessageContaining(message);
    }
}
