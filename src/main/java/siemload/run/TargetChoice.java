package siemload.run;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import siemload.config.Choices;
import siemload.config.ConfigException;
import siemload.config.Origin;
import siemload.config.Problems;
import siemload.config.Property;
import siemload.config.Setting;
import siemload.config.Settings;
import siemload.config.UrlForm;
import siemload.database.Abilities;
import siemload.database.Hint;
import siemload.database.IndexSet;
import siemload.database.LayoutFolder;
import siemload.database.Partitions;
import siemload.database.Provision;
import siemload.database.TargetPlugin;
import siemload.database.TargetPlugin.Offer;
import siemload.database.TargetPlugin.OwnLayouts;
import siemload.database.Variant;
import siemload.query.PageClass;
import siemload.query.Paging;
import siemload.query.Search;

/**
 * The target of a run, and which of its variants; everything is offered by the target. Immutable.
 *
 * @param provision where its server comes from
 */
public record TargetChoice(TargetPlugin plugin, Variant variant, Provision provision) {

    /**
     * The choice that the settings describe.
     *
     * @throws ConfigException if they name something the target does not offer
     */
    public static TargetChoice of(Settings settings) {
        String id = settings.value(Property.TARGET);
        Origin target = settings.origin(Property.TARGET);
        TargetPlugin plugin = TargetPlugin.find(id).orElseThrow(() -> {
            List<String> known =
                    TargetPlugin.all().stream().map(TargetPlugin::id).toList();
            return new ConfigException(
                    target, "'" + id + "' is unknown (" + Choices.names(known).help(id) + ")");
        });
        Problems problems = new Problems();
        Optional<LayoutFolder> own = ownLayout(plugin, settings);
        Abilities abilities = abilities(plugin, own);
        Selection selection = new Selection(id, settings, problems);
        Variant variant = new Variant(
                own.map(LayoutFolder::label)
                        .orElseGet(() -> selection.choose(Property.LAYOUT, abilities.layouts(), layout -> layout)),
                selection.choose(Property.PARTITIONS, abilities.partitions(), Partitions::label),
                selection.choose(Property.INDEXES, abilities.indexSets(), IndexSet::label),
                selection.choose(Property.HINT, abilities.hints(), Hint::label),
                selection.choose(Property.PAGING, abilities.pagings(), Paging::label),
                own);
        Provision provision = selection.choose(Property.PROVISION, abilities.provisions(), Provision::label);
        if (provision != Provision.CONTAINER) {
            // These have defaults, so that only here is known who needs them.
            settings.refuseGiven(
                    List.of(Property.CONTAINER_MEMORY, Property.CONTAINER_CPUS),
                    "is for provision=container, but it is " + provision.label() + ": leave one out",
                    problems);
        }
        if (provision == Provision.EXTERNAL && settings.find(Property.URL).isEmpty()) {
            problems.add(target, "target " + id + " needs a server of yours (give its url: -Durl)");
        }
        refuseForeignUrls(plugin, settings, problems);
        problems.throwIfAny();
        plugin.refusal(variant)
                .ifPresent(why -> problems.add(settings.origin(Property.HINT), "target " + id + ": " + why));
        settings.find(Property.PARAMETERS)
                .flatMap(parameters -> plugin.refusal(variant, provision, parameters))
                .ifPresent(why -> problems.add(settings.origin(Property.PARAMETERS), "target " + id + ": " + why));
        problems.throwIfAny();
        return new TargetChoice(plugin, variant, provision);
    }

    /** The driver of a target knows its own urls alone, and would say so only when it is to connect. */
    private static void refuseForeignUrls(TargetPlugin plugin, Settings settings, Problems problems) {
        List<UrlForm> forms = plugin.urlForms();
        Set<String> examples = new LinkedHashSet<>();
        forms.forEach(form -> examples.add(form.example()));
        for (Property<?> property : List.of(Property.URL, Property.READ_URLS)) {
            List<?> urls = settings.find(property)
                    .map(value -> value instanceof List<?> several ? several : List.of(value))
                    .orElse(List.of());
            boolean isOwn = urls.stream()
                    .map(String::valueOf)
                    .allMatch(url -> forms.stream().anyMatch(form -> url.startsWith(form.start())));
            if (!forms.isEmpty() && !isOwn) {
                problems.add(
                        settings.origin(property),
                        "is no url of target " + plugin.id() + " (write for example " + String.join(" or ", examples)
                                + ")");
            }
        }
    }

    /** The layout that is given as a folder; what the target calls one of its own is never one. */
    private static Optional<LayoutFolder> ownLayout(TargetPlugin plugin, Settings settings) {
        return settings.setting(Property.LAYOUT)
                .filter(layout ->
                        !plugin.abilities().layouts().contains(layout.value()) && LayoutFolder.isMeant(layout.value()))
                .map(layout -> LayoutFolder.read(layout.value(), layout.origin(), plugin));
    }

    private static Abilities abilities(TargetPlugin plugin, Optional<LayoutFolder> own) {
        return own.map(folder -> layouts(plugin, folder).abilities(folder)).orElseGet(plugin::abilities);
    }

    private static OwnLayouts layouts(TargetPlugin plugin, LayoutFolder folder) {
        return plugin.ownLayouts()
                .orElseThrow(() -> new ConfigException(
                        new Origin.WholeFile(folder.shownAs()),
                        "target " + plugin.id() + " takes no layouts of your own (allowed: layout "
                                + String.join(", ", plugin.abilities().layouts()) + "; or target "
                                + TargetPlugin.names(one -> one.ownLayouts().isPresent()) + ")"));
    }

    /** What the target offers with this layout. */
    Abilities abilities() {
        return abilities(plugin, variant.ownLayout());
    }

    /** Whether its layout says how to search data that are there already, and neither loads nor feeds any. */
    boolean isForSearchesAlone() {
        return variant.ownLayout()
                .filter(folder -> layouts(plugin, folder).isForSearchesAlone(folder))
                .isPresent();
    }

    /** What the layout lacks where it is one for searches alone; empty for all others, which lack nothing. */
    Optional<BiFunction<Search, PageClass, Optional<String>>> missingBlocks() {
        return variant.ownLayout()
                .filter(folder -> isForSearchesAlone())
                .map(folder -> layouts(plugin, folder).missing(variant));
    }

    /**
     * Refuses what needs an offer that the target does not have.
     *
     * @param sentence has {@code %s} for the target, and then for the names of those that offer it
     */
    void require(Offer offer, Origin origin, String sentence) {
        if (!plugin.offers(offer)) {
            String names = TargetPlugin.names(one -> one.offers(offer));
            throw new ConfigException(origin, String.format(Locale.ROOT, sentence, plugin.id(), names));
        }
    }

    /** The same target with another variant. */
    TargetChoice with(Variant other) {
        return new TargetChoice(plugin, other, provision);
    }

    /** What a target offers, held against what the settings ask for. */
    private record Selection(String target, Settings settings, Problems problems) {

        <T> T choose(Property<?> property, List<T> offered, Function<T, String> label) {
            T first = offered.get(0);
            Optional<Setting> given = settings.given(property);
            if (given.isEmpty()) {
                return first;
            }
            String wanted = given.orElseThrow().value();
            return offered.stream()
                    .filter(one -> label.apply(one).equals(wanted))
                    .findFirst()
                    .orElseGet(() -> {
                        Choices<?> choices =
                                Choices.names(offered.stream().map(label).toList());
                        String why =
                                "target " + target + " does not offer '" + wanted + "' (" + choices.help(wanted) + ")";
                        problems.add(given.orElseThrow().origin(), why);
                        return first;
                    });
        }
    }
}
