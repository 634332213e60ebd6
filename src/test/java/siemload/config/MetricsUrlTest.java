package siemload.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MetricsUrlTest {
    @Test
    void severalHostsAreTakenAndThePathIsTheUsualOneUnlessGiven() {
        assertThat(MetricsUrl.TYPE.parse(
                        "http://db1:9100, https://[::1]:9101/node/metrics?collect[]=cpu".replace("[]", "")))
                .containsExactly(
                        new MetricsUrl("db1:9100", "http://db1:9100/metrics", Optional.empty()),
                        new MetricsUrl("[::1]:9101", "https://[::1]:9101/node/metrics?collect=cpu", Optional.empty()));
    }

    @Test
    void userAndPasswordAreTakenOutOfTheAddressAndHiddenFromThenOn() {
        MetricsUrl url = MetricsUrl.TYPE
                .parse("http://reader:Zw3i%2CTeile@db1:9100/metrics")
                .get(0);

        assertThat(url.credentials()).hasValue("reader:Zw3i,Teile");
        assertThat(url.address()).isEqualTo("http://db1:9100/metrics");
        assertThat(url).hasToString("http://db1:9100/metrics");
        assertThat(Secrets.masked("sent Zw3i,Teile")).isEqualTo("sent ***");
        assertThat(Secrets.masked("hostMetrics", "http://a:9100,http://reader:Zw3i%2CTeile@db1:9100/metrics"))
                .doesNotContain("Zw3i");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "db1:9100 | is no list of http or https URLs",
                "ftp://db1/metrics | is no list of http or https URLs",
                "http://u:geheim@db1:9100/#top | is no list of http or https URLs",
                "http://u:ge heim@db1:9100 | is no list of URLs: Illegal character",
                "http://db1:9100,http://db1:9100/metrics | names the host db1:9100 twice",
                "http://db1:9100, | is no list of",
            })
    void anythingElseIsRefusedWithoutRepeatingIt(String text, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> MetricsUrl.TYPE.parse(text))
                .withMessageContaining(message)
                .satisfies(refused -> assertThat(refused.getMessage()).doesNotContain("heim"));
    }
}
