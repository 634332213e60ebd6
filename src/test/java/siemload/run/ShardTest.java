package siemload.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ShardTest {

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 16})
    void allShardsTogetherHaveEachNumberOnce(int count) {
        for (int limit = 0; limit <= 50; limit++) {
            int below = limit;
            LongStream numbers = IntStream.range(0, count)
                    .mapToObj(index -> new Shard(index, count))
                    .flatMapToLong(
                            shard -> LongStream.range(0, shard.below(below)).map(shard::number));

            assertThat(numbers.sorted())
                    .containsExactlyElementsOf(
                            LongStream.range(0, limit).boxed().toList());
        }
    }

    @Test
    void aNumberBelowZeroBelongsToOneShard() {
        assertThat(IntStream.range(0, 4).filter(index -> new Shard(index, 4).has(-5)))
                .containsExactly(3);
        assertThat(IntStream.range(0, 4).filter(index -> new Shard(index, 4).has(6)))
                .containsExactly(2);
    }

    @Test
    void thereIsNoShardBeyondTheLast() {
        assertThatThrownBy(() -> new Shard(4, 4)).hasMessage("no shard 4 of 4");
        assertThatThrownBy(() -> new Shard(-1, 4)).hasMessage("no shard -1 of 4");
        assertThat(Shard.WHOLE.isWhole()).isTrue();
    }
}
