package siemload.run;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ProgressBarTest {

    @Test
    void showsShareRateAndTimeLeft() {
        assertThat(ProgressBar.text("loading smoke", "events", 50_000, 200_000, 0.5))
                .isEqualTo("loading smoke [######------------------]  25 % 100,000 events/s, 2 s left");
    }

    @Test
    void anEmptyDataSetIsDoneAtOnce() {
        assertThat(ProgressBar.text("loading", "events", 0, 0, 1)).contains("100 %");
    }
}
