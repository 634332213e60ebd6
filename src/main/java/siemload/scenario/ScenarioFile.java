package siemload.scenario;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import siemload.config.Choices;
import siemload.config.ConfigException;
import siemload.config.Property;
import siemload.config.Setting;
import siemload.config.Settings;

/**
 * A file with a scenario.
 *
 * @param name the file name without its ending
 * @param shownAs what the file is called in messages
 */
record ScenarioFile(Path path, String name, String shownAs) {
    private static final String DIRECTORY = "scenarios";
    private static final String ENDING = ".yaml";

    /** The file that the settings name; whether a file given by its path is there shows when it is read. */
    static ScenarioFile find(Path home, Settings settings) {
        Setting setting = settings.setting(Property.SCENARIO).orElseThrow();
        String wanted = setting.value();
        if (wanted.contains("/") || wanted.contains("\\") || wanted.endsWith(ENDING) || wanted.endsWith(".yml")) {
            return at(home, wanted);
        }
        List<String> known = names(home);
        if (!known.contains(wanted)) {
            String help = known.isEmpty()
                    ? "there are none in " + home.resolve(DIRECTORY)
                    : Choices.names(known).help(wanted) + ", or the path of a YAML file";
            throw new ConfigException(setting.origin(), "'" + wanted + "' is unknown (" + help + ")");
        }
        String file = wanted + ENDING;
        return new ScenarioFile(home.resolve(DIRECTORY).resolve(file), wanted, DIRECTORY + "/" + file);
    }

    /** The names of the scenarios under the home directory, sorted. */
    static List<String> names(Path home) {
        List<String> names = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(home.resolve(DIRECTORY), "*" + ENDING)) {
            files.forEach(file -> names.add(nameOf(file)));
        } catch (NoSuchFileException e) {
            return List.of();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot list the scenarios in " + home.resolve(DIRECTORY), e);
        }
        return names.stream().sorted().toList();
    }

    private static ScenarioFile at(Path home, String wanted) {
        Path path = Path.of(wanted);
        Path underHome = home.resolve(wanted);
        return new ScenarioFile(
                !Files.exists(path) && Files.exists(underHome) ? underHome : path, nameOf(path), wanted);
    }

    private static String nameOf(Path file) {
        return file.toAbsolutePath().getFileName().toString().replaceAll("\\.ya?ml$", "");
    }
}
