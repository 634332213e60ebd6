package siemload.database.opensearch;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import siemload.database.IndexSet;
import siemload.database.Target.TargetOptions;
import siemload.database.layout.Blocks.MissingBlockException;
import siemload.query.Order;
import siemload.query.PageClass;
import siemload.query.Search;

/**
 * How an index is made and searched. Immutable and thread-safe.
 *
 * @param parameters settings of an index that a run makes, beside those of the layout, by their full names
 */
record IndexVariant(IndexLayout layout, IndexSet indexes, Map<String, String> parameters) {
    private static final String SETTINGS = "settings";
    private static final String PREFIX = "index.";

    /**
     * That of a run; a layout of one's own is read here.
     *
     * @throws siemload.config.ConfigException with everything that is wrong with its files
     */
    static IndexVariant of(TargetOptions options) {
        return new IndexVariant(
                IndexLayout.of(options.variant()), options.variant().indexes(), options.parameters());
    }

    /**
     * What makes an index.
     *
     * @param alias by which it is written
     */
    Map<String, Object> creation(String alias) {
        Map<String, Object> body = new LinkedHashMap<>(layout.index(indexes));
        Map<String, Object> settings = new TreeMap<>(settings());
        settings.putAll(parameters);
        body.put(SETTINGS, settings);
        body.put("aliases", Map.of(alias, Map.of()));
        return body;
    }

    /** The settings of an index as its layout has them, by their full names; none of one that was there before. */
    SortedMap<String, Object> settings() {
        SortedMap<String, Object> flat = new TreeMap<>();
        if (!layout.isForSearchesAlone() && layout.index(indexes).get(SETTINGS) instanceof Map<?, ?> settings) {
            addAll("", settings, flat);
        }
        return flat;
    }

    private static void addAll(String path, Map<?, ?> settings, Map<String, Object> flat) {
        settings.forEach((key, value) -> {
            String name = path + key;
            if (value instanceof Map<?, ?> section) {
                addAll(name + ".", section, flat);
            } else {
                flat.put(name.startsWith(PREFIX) ? name : PREFIX + name, value);
            }
        });
    }

    /** Whether events lie in the index as this order has them, so that nothing is sorted. */
    boolean isSortedBy(Order order) {
        SortedMap<String, Object> settings = settings();
        List<Map.Entry<String, String>> asked = new ArrayList<>();
        layout.order(order)
                .forEach(key -> ((Map<?, ?>) key)
                        .forEach((field, way) -> asked.add(Map.entry(String.valueOf(field), direction(way)))));
        List<String> fields = texts(settings.get(PREFIX + "sort.field"));
        List<String> ways = texts(settings.get(PREFIX + "sort.order"));
        if (asked.isEmpty() || fields.size() < asked.size() || ways.size() != fields.size()) {
            return false;
        }
        for (int i = 0; i < asked.size(); i++) {
            if (!asked.get(i).equals(Map.entry(fields.get(i), ways.get(i)))) {
                return false;
            }
        }
        return true;
    }

    private static String direction(Object way) {
        return String.valueOf(way instanceof Map<?, ?> options ? options.get("order") : way);
    }

    private static List<String> texts(@Nullable Object setting) {
        if (setting instanceof List<?> list) {
            return list.stream().map(String::valueOf).toList();
        }
        return setting == null ? List.of() : List.of(String.valueOf(setting));
    }

    /** The block that the layout lacks to be asked such a search in this way; empty if it lacks none. */
    Optional<String> missingBlock(Search search, PageClass page) {
        try {
            if (page == PageClass.SUMMARY) {
                search.summary().ifPresent(summary -> SummaryRequest.of(search, summary, this));
            } else {
                SearchQuery.of(search, layout);
            }
            return Optional.empty();
        } catch (MissingBlockException missing) {
            return Optional.of(missing.block());
        }
    }
}
