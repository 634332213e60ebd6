package siemload.database.layout.document;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import siemload.config.Choices;
import siemload.config.Origin;
import siemload.config.Problems;
import siemload.database.LayoutFolder;
import siemload.database.ResourceFile;
import siemload.database.layout.FolderFiles;
import siemload.database.layout.document.JsonTemplate.Value;
import siemload.database.layout.document.TemplateText.Read;

/**
 * Which files a layout needs, and what may stand in them: the same as in siemload's own files, so that there is no second list of
 * either. All names are without the ending. Immutable and thread-safe.
 *
 * @param model siemload's files for a layout of this kind
 * @param needed the files without which a layout is none
 * @param known those that a layout may have
 * @param ofIndexSet how the names of files of an index set begin
 */
public record TemplateFiles(
        Map<String, Read> model,
        Set<String> needed,
        Set<String> known,
        String ofIndexSet,
        JsonNotation notation,
        FileRules rules) {
    /** Of the names of all files but {@code layout.yaml}. */
    public static final String ENDING = ".json";
    /** The file that says what is stored of an event. */
    public static final String DOCUMENT = "document";

    public TemplateFiles {
        model = Map.copyOf(model);
        needed = Set.copyOf(needed);
        known = Set.copyOf(known);
    }

    /**
     * Those of several of siemload's folders, of equal names the last one.
     *
     * @param path where the folders are, with {@code /} at both ends
     */
    public static Map<String, Read> model(String path, List<String> folders, JsonNotation notation) {
        Map<String, Read> model = new HashMap<>();
        for (String folder : folders) {
            templates(ofFolder(path + folder))
                    .forEach((name, text) -> model.put(name, TemplateText.read(text, notation)));
        }
        return model;
    }

    /** The files of one of siemload's layouts, by their names with the ending. */
    public static Map<String, String> ofFolder(String path) {
        Map<String, String> texts = new TreeMap<>();
        for (String file : ResourceFile.beside(TemplateFiles.class, path + "/top-list" + ENDING)) {
            if (file.endsWith(ENDING) || file.equals(LayoutFolder.ABOUT)) {
                texts.put(file, ResourceFile.text(TemplateFiles.class, path + "/" + file));
            }
        }
        return texts;
    }

    /** Those that are templates, by their names without the ending. */
    public static Map<String, String> templates(Map<String, String> files) {
        Map<String, String> texts = new TreeMap<>();
        files.forEach((file, text) -> {
            if (file.endsWith(ENDING)) {
                texts.put(file.substring(0, file.length() - ENDING.length()), text);
            }
        });
        return texts;
    }

    /**
     * Reads the files of a folder, and notes what is wrong with them.
     *
     * @param texts the files with those of its base
     * @return those that are of use to it
     */
    public Map<String, Read> read(LayoutFolder folder, Map<String, String> texts, Problems problems) {
        FolderFiles files = new FolderFiles(folder, ENDING, problems);
        files.noteMissing(new TreeSet<>(needed), texts.keySet(), this::purpose);
        Set<String> inOrder = new TreeSet<>(known);
        files.noteUnread(inOrder);
        Map<String, Read> read = new HashMap<>();
        for (String name : inOrder) {
            if (texts.containsKey(name)) {
                try {
                    Read template = TemplateText.read(texts.getOrDefault(name, ""), notation);
                    check(files, name, template);
                    read.put(name, template);
                } catch (BadTemplateException bad) {
                    problems.add(origin(files, name, bad), String.valueOf(bad.getMessage()));
                }
            }
        }
        return read;
    }

    private static Origin origin(FolderFiles files, String name, BadTemplateException bad) {
        return bad.line() == 0 ? files.origin(name) : files.origin(name, bad.line(), bad.column());
    }

    private String purpose(String name) {
        return name.startsWith(ofIndexSet) ? " for its index set " + name.substring(ofIndexSet.length()) : "";
    }

    private void check(FolderFiles files, String name, Read read) {
        if (name.equals(DOCUMENT)) {
            rules.checkDocument(read.template());
            return;
        }
        for (Value operator : read.operators()) {
            rules.refusal(operator.name()).ifPresent(why -> {
                throw bad(operator, why);
            });
            if (operator.name().equals(TemplateText.EACH)) {
                throw bad(operator, "$each is for document.json (needed: $param, and what the server knows)");
            }
        }
        Set<String> allowed = allowed(name);
        for (Value value : read.values()) {
            if (!allowed.contains(value.name())) {
                throw bad(
                        value,
                        "the name '" + value.name() + "' is unknown here ("
                                + (allowed.isEmpty()
                                        ? "allowed: none"
                                        : Choices.names(allowed).help(value.name()))
                                + ")");
            }
        }
        rules.checkShape(files, name, read.template().json());
    }

    private static BadTemplateException bad(Value place, String message) {
        return new BadTemplateException(message, place.line(), place.column());
    }

    private Set<String> allowed(String name) {
        Set<String> allowed = new TreeSet<>(rules.furtherNames(name));
        Read like = model.get(name);
        if (like != null) {
            like.values().forEach(value -> allowed.add(value.name()));
        }
        return allowed;
    }

    /** Whether siemload's file of this name is a list. */
    public static boolean isList(Map<String, Read> model, String name) {
        Read like = model.get(name);
        return like != null && like.template().json() instanceof List<?>;
    }

    /** Whether JSON is a list of objects alone. */
    public static boolean isListOfObjects(Object json) {
        return json instanceof List<?> list && list.stream().allMatch(Map.class::isInstance);
    }
}
