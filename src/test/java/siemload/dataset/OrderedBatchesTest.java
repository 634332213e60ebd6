package siemload.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class OrderedBatchesTest {
    private final List<Integer> taken = new ArrayList<>();

    @Test
    void whyABatchCouldNotBeMadeIsTold() {
        IllegalArgumentException why = new IllegalArgumentException("no such day");
        IOException torn = new IOException("torn");
        try (OrderedBatches<Integer> batches = new OrderedBatches<>(1, taken::add)) {
            batches.add(() -> 1);
            batches.add(() -> {
                throw why;
            });
            batches.add(() -> 3);
            assertThatThrownBy(batches::finish).isSameAs(why);
            batches.add(() -> {
                throw torn;
            });
            assertThatThrownBy(batches::finish).hasCause(torn);
        }
        assertThat(taken).containsExactly(1, 3);
    }
}
