package siemload.dataset.format;

import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import siemload.config.Choices;
import siemload.config.ConfigException;
import siemload.config.YamlDocument;
import siemload.config.YamlNode;

/** Reads mapping files. Stateless and thread-safe. */
final class FormatMappingReader {
    private static final Choices<IdeaPlace> PLACES = Choices.of(IdeaPlace.class, IdeaPlace::id);

    private static final String NO_ELEMENTS = "only fields of Source and Target may have [] (leave it out)";

    private FormatMappingReader() {}

    /** Reads a file; throws {@link ConfigException} with everything that is wrong, with file, line and column. */
    static FormatMapping read(Path file) {
        return YamlDocument.read(file, FormatMappingReader::mapping);
    }

    private static FormatMapping mapping(YamlNode top) {
        top.required("description").text();
        ZoneId zone = top.optional("zone").map(FormatMappingReader::zone).orElse(ZoneOffset.UTC);
        Map<IdeaPlace, List<FieldPath>> fields = new EnumMap<>(IdeaPlace.class);
        top.required("fields").entries(PLACES).forEach((place, node) -> fields.put(place, paths(place, node)));
        if (!fields.containsKey(IdeaPlace.DETECT_TIME)) {
            top.required("fields").problem("DetectTime is missing (an event needs one)");
        }
        List<FormatMapping.CategoryRule> categories = new ArrayList<>();
        YamlNode node = top.required("categories");
        node.required("rules").elements().forEach(rule -> categories.add(rule(rule)));
        List<FieldPath> lists = lists(fields);
        fields.replaceAll(
                (place, paths) -> paths.stream().map(path -> path.beside(lists)).toList());
        return new FormatMapping(
                zone, fields, lists, categories, node.required("otherwise").text());
    }

    private static List<FieldPath> paths(IdeaPlace place, YamlNode node) {
        return node.elements().stream().map(field -> path(place, field)).toList();
    }

    private static FieldPath path(IdeaPlace place, YamlNode node) {
        String text = node.text();
        int lists = text.split("\\[]", -1).length - 1;
        if (lists > 1) {
            node.problem(
                    "'" + text + "' has [] more than once (it stands behind the list whose elements are endpoints)");
        }
        if (lists > 0 && !place.isOf("Source") && !place.isOf("Target")) {
            node.problem(NO_ELEMENTS);
        }
        return FieldPath.of(text);
    }

    private static List<FieldPath> lists(Map<IdeaPlace, List<FieldPath>> fields) {
        Map<String, FieldPath> lists = new LinkedHashMap<>();
        for (List<FieldPath> paths : fields.values()) {
            paths.stream().filter(FieldPath::hasElements).forEach(path -> lists.putIfAbsent(path.listText(), path));
        }
        return List.copyOf(lists.values());
    }

    private static FormatMapping.CategoryRule rule(YamlNode node) {
        FieldPath field = FieldPath.of(node.required("field").text());
        if (field.hasElements()) {
            node.required("field").problem(NO_ELEMENTS);
        }
        boolean whole = node.optional("is").isPresent();
        YamlNode values = whole ? node.required("is") : node.required("contains");
        Map<String, String> categories = new LinkedHashMap<>();
        values.entries().forEach((value, category) -> categories.put(IdeaPlace.lower(value), category.text()));
        return new FormatMapping.CategoryRule(
                field, whole ? FormatMapping.Match.IS : FormatMapping.Match.CONTAINS, categories);
    }

    private static ZoneId zone(YamlNode node) {
        try {
            return ZoneId.of(node.text());
        } catch (DateTimeException unknown) {
            node.problem("'" + node.written() + "' is no time zone (write for example UTC or Europe/Prague)");
            return ZoneOffset.UTC;
        }
    }
}
