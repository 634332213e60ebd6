package siemload.dataset.learn;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Locale;
import siemload.dataset.DatasetSpec;

/**
 * Where a learnt data set goes. Immutable.
 *
 * @param dataset the data set's file, whose name ends with {@code .yaml}
 * @param profile its profile, in a directory of such beside it
 */
public record LearntFiles(Path dataset, Path profile) {

    /** The two files of the data set in this file. */
    public static LearntFiles of(Path dataset) {
        return new LearntFiles(
                dataset, dataset.resolveSibling("profiles").resolve(String.valueOf(dataset.getFileName())));
    }

    /** The name of the data set. */
    String name() {
        String file = String.valueOf(dataset.getFileName());
        return file.substring(0, file.length() - ".yaml".length());
    }

    void write(LearntProfile learnt, Overwriting overwriting) {
        DatasetSpec spec = learnt.spec();
        String text = "# Learnt by ./siemload learn: as many events over as many hours as the original had.\n"
                + "description: \"" + spec.description() + "\"\n"
                + "events: " + spec.events() + "\n"
                + "start: " + spec.start() + "\n"
                + "span: " + spec.span().toHours() + "h\n"
                + "seed: " + spec.seed() + "\n"
                + "profile: profiles/" + profile.getFileName() + "\n";
        List<String> head = List.of(
                String.format(
                        Locale.ROOT,
                        "Learnt by ./siemload learn from %,d events. Behind each estimate stands",
                        spec.events()),
                "the interval that holds the true value in 95 of 100 streams, had they been generated from a profile.");
        try {
            Files.createDirectories(profile.toAbsolutePath().getParent());
            write(profile, ProfileText.of(spec.profile(), learnt.parameters(), head), overwriting);
            write(dataset, text, overwriting);
        } catch (IOException e) {
            throw new UncheckedIOException(dataset + " cannot be written", e);
        }
    }

    private static void write(Path file, String text, Overwriting overwriting) throws IOException {
        if (overwriting == Overwriting.REFUSED) {
            try {
                Files.writeString(file, text, StandardOpenOption.CREATE_NEW);
            } catch (FileAlreadyExistsException e) {
                throw new IOException("it has come into being meanwhile", e);
            }
        } else {
            Files.writeString(file, text);
        }
    }

    /** Whether files that exist may be replaced. */
    public enum Overwriting {
        REFUSED,
        ALLOWED
    }
}
