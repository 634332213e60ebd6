package siemload.database.layout;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import siemload.config.ConfigException;
import siemload.config.Problems;

/** Texts of templates that are broken at random: each is a template yet, or is told to be none. */
public final class BrokenTemplates {
    private static final int SEEDS = 3_000;
    private static final List<String> PIECES = List.of(
            "{",
            "}",
            "[",
            "]",
            "\"",
            ":",
            ",",
            "null",
            "1e999",
            "{\"$param\": \"id\"}",
            "{\"$each\": \"node\", \"in\": []}",
            "\\u0000",
            "/* no comment */",
            "'single'");

    private BrokenTemplates() {}

    /**
     * Breaks texts of a notation.
     *
     * @param further what is put in beside parts of JSON
     */
    public static void areToldToBeNone(Collection<String> texts, List<String> further, JsonTemplate.Notation notation) {
        List<String> whole = List.copyOf(texts);
        List<String> pieces = new ArrayList<>(PIECES);
        pieces.addAll(further);
        int told = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            String text = broken(whole.get(random.nextInt(whole.size())), pieces, random);
            try {
                assertThat(read(text, notation)).isNotNull();
            } catch (ConfigException | JsonTemplate.BadTemplateException bad) {
                told++;
                assertThat(bad).as("seed " + seed + ": " + text).message().isNotBlank();
            } catch (RuntimeException other) {
                throw new AssertionError("seed " + seed + ": " + text, other);
            }
        }
        assertThat(told).isBetween(SEEDS / 3, SEEDS - 1);
    }

    private static Object read(String text, JsonTemplate.Notation notation) {
        Problems problems = new Problems();
        Blocks blocks = Blocks.of(Map.of("x.json", "{\"x\": " + text + "}"), "", Blocks.Syntax.JSON, problems);
        problems.throwIfAny();
        List<Object> read = new ArrayList<>();
        blocks.all()
                .values()
                .forEach(block -> read.add(JsonTemplate.read(block, notation).json()));
        return read;
    }

    private static String broken(String text, List<String> pieces, SplittableRandom random) {
        StringBuilder broken = new StringBuilder(text);
        for (int changes = 1 + random.nextInt(3); changes > 0; changes--) {
            int from = random.nextInt(broken.length() + 1);
            int until = Math.min(broken.length(), from + random.nextInt(6));
            broken.replace(from, until, random.nextBoolean() ? pieces.get(random.nextInt(pieces.size())) : "");
        }
        return broken.toString();
    }
}
