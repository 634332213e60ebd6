package siemload.database.layout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.io.TempDir;
import siemload.config.ConfigException;
import siemload.config.Origin;
import siemload.config.Problem;
import siemload.database.LayoutFolder;
import siemload.database.Partitions;
import siemload.database.TargetPlugin;

/** Tests that write the folder of a layout, edit its files, and have it read. */
public abstract class LayoutInFolder {
    protected static final String YAML = LayoutFolder.ABOUT;

    private final TargetPlugin target;
    private final Function<LayoutFolder, ?> reader;

    @TempDir
    private Path directory;

    protected LayoutInFolder(TargetPlugin target, Function<LayoutFolder, ?> reader) {
        this.target = target;
        this.reader = reader;
    }

    /** The folder with a file for each block of one of the target's layouts. */
    protected final LayoutFolder copy(String layout, Partitions partitions) {
        BlockFiles.of(target.ownLayouts().orElseThrow().files(layout, partitions))
                .forEach(this::write);
        return folder();
    }

    /** The folder as it is now. */
    protected final LayoutFolder folder() {
        return LayoutFolder.read(path("").toString(), new Origin.Option("layout"), target);
    }

    /** What is wrong with it, a line each. */
    protected final String problems() {
        ConfigException thrown = catchThrowableOfType(ConfigException.class, () -> reader.apply(folder()));
        assertThat(thrown).as("problems").isNotNull();
        return thrown.problems().stream()
                .map(Problem::toString)
                .map(problem -> problem.replace(directory + "/mine/", "mine/"))
                .collect(Collectors.joining("\n"));
    }

    protected final void replace(String file, String from, String to) {
        String text = read(file);
        assertThat(text).contains(from);
        write(file, text.replace(from, to));
    }

    protected final String read(String file) {
        try {
            return Files.readString(path(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    protected final void write(String file, String text) {
        try {
            Files.createDirectories(path(""));
            Files.writeString(path(file), BlockFiles.text(file, text));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    protected final void delete(String file) {
        try {
            Files.deleteIfExists(path(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    protected final Path path(String file) {
        return directory.resolve("mine").resolve(file);
    }
}
