package siemload.database.layout.document;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import siemload.database.LayoutFolder;
import siemload.database.layout.LayoutOffer;
import siemload.database.layout.MissingFileException;
import siemload.database.layout.ReadLayout;
import siemload.database.layout.document.TemplateText.Read;

/**
 * A layout whose files are templates of JSON, siemload's or one of a user's own. Immutable and thread-safe.
 *
 * @param <T> a template, as the database reads it
 */
public abstract class TemplateLayout<T> implements ReadLayout {
    private final LayoutFolder folder;
    private final LayoutOffer offer;
    private final Map<String, T> templates;

    /** @param templates by their names without the ending */
    protected TemplateLayout(LayoutFolder folder, LayoutOffer offer, Map<String, T> templates) {
        this.folder = folder;
        this.offer = offer;
        this.templates = Map.copyOf(templates);
    }

    /** Siemload's own one of a name, with its files by their names with the ending. */
    protected static LayoutFolder builtIn(String label, Map<String, String> files) {
        return new LayoutFolder(label, label, new TreeMap<>(files));
    }

    /**
     * The texts of a folder's templates, and those of its bases where it has none of a name; by their names without the ending.
     *
     * @param bases siemload's folders, the first one first
     * @param ofBase the files of such a folder, by their names with the ending
     */
    protected static Map<String, String> texts(
            LayoutFolder folder, List<String> bases, Function<String, Map<String, String>> ofBase) {
        Map<String, String> texts = TemplateFiles.templates(folder.files());
        bases.forEach(base -> TemplateFiles.templates(ofBase.apply(base)).forEach(texts::putIfAbsent));
        return texts;
    }

    /** What was read, as the database reads it. */
    protected static <T> Map<String, T> templates(Map<String, Read> read, Function<JsonTemplate, T> asRead) {
        Map<String, T> templates = new HashMap<>();
        read.forEach((name, file) -> templates.put(name, asRead.apply(file.template())));
        return templates;
    }

    @Override
    public final SortedMap<String, String> copied() {
        return folder.files();
    }

    @Override
    public final LayoutOffer offer() {
        return offer;
    }

    /**
     * One of its files.
     *
     * @param name without the ending
     * @throws MissingFileException if it has none of this name
     */
    public final T template(String name) {
        return found(name).orElseThrow(() -> new MissingFileException(name + TemplateFiles.ENDING));
    }

    /** One of its files, where it has it. */
    protected final Optional<T> found(String name) {
        return Optional.ofNullable(templates.get(name));
    }
}
