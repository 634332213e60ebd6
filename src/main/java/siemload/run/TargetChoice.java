package siemload.run;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;
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
        Problems problems = new Problems();
        String id = settings.value(Property.TARGET);
        Optional<TargetPlugin> plugin = TargetPlugin.find(id);
        if (plugin.isEmpty()) {
            List<String> known =
                    TargetPlugin.all().stream().map(TargetPlugin::id).toList();
            problems.add(
                    origin(settings, Property.TARGET),
                    "'" + id + "' is unknown (" + Choices.names(known).help(id) + ")");
            problems.throwIfAny();
        }
        return of(plugin.orElseThrow(), settings, problems);
    }

    private static TargetChoice of(TargetPlugin plugin, Settings settings, Problems problems) {
        Optional<LayoutFolder> own = ownLayout(plugin, settings);
        Abilities abilities = abilities(plugin, own);
        Selection selection = new Selection(plugin.id(), settings, problems);
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
            selection.refuseContainerSettings(provision);
        }
        if (provision == Provision.EXTERNAL && settings.find(Property.URL).isEmpty()) {
            problems.add(
                    origin(settings, Property.TARGET),
                    "target " + plugin.id() + " needs a server of yours (give its url: -Durl)");
        }
        refuseForeignUrls(plugin, settings, problems);
        problems.throwIfAny();
        plugin.refusal(variant)
                .ifPresent(why -> problems.add(origin(settings, Property.HINT), "target " + plugin.id() + ": " + why));
        settings.find(Property.PARAMETERS)
                .flatMap(parameters -> plugin.refusal(variant, provision, parameters))
                .ifPresent(why ->
                        problems.add(origin(settings, Property.PARAMETERS), "target " + plugin.id() + ": " + why));
        problems.throwIfAny();
        return new TargetChoice(plugin, variant, provision);
    }

    /** The driver of a target knows its own urls alone, and would say so only when it is to connect. */
    private static void refuseForeignUrls(TargetPlugin plugin, Settings settings, Problems problems) {
        List<UrlForm> forms = plugin.urlForms();
        if (forms.isEmpty()) {
            return;
        }
        for (Property<?> property : List.of(Property.URL, Property.READ_URLS)) {
            List<?> urls = settings.find(property)
                    .map(value -> value instanceof List<?> several ? several : List.of(value))
                    .orElse(List.of());
            if (urls.stream()
                    .anyMatch(url ->
                            forms.stream().noneMatch(form -> String.valueOf(url).startsWith(form.start())))) {
                problems.add(
                        origin(settings, property),
                        "is no url of target " + plugin.id() + " (write for example "
                                + forms.stream()
                                        .map(UrlForm::example)
                                        .distinct()
                                        .collect(Collectors.joining(" or ")) + ")");
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
     * Why what needs an offer of the target cannot be done; empty where the target has it.
     *
     * @param sentence has {@code %s} for the target, and then for the names of those that offer it
     */
    Optional<String> refusal(Offer offer, String sentence) {
        return plugin.offers(offer)
                ? Optional.empty()
                : Optional.of(String.format(
                        Locale.ROOT, sentence, plugin.id(), TargetPlugin.names(one -> one.offers(offer))));
    }

    /** @throws ConfigException at this place with the {@link #refusal}, if there is one */
    void require(Offer offer, Origin origin, String sentence) {
        refusal(offer, sentence).ifPresent(why -> {
            throw new ConfigException(origin, why);
        });
    }

    /** The same target with another variant. */
    TargetChoice with(Variant other) {
        return new TargetChoice(plugin, other, provision);
    }

    private static Origin origin(Settings settings, Property<?> property) {
        return settings.setting(property).map(Setting::origin).orElse(new Origin.Default());
    }

    /** What a target offers, held against what the settings ask for. */
    private record Selection(String target, Settings settings, Problems problems) {

        <T> T choose(Property<?> property, List<T> offered, Function<T, String> label) {
            Optional<Setting> setting = settings.setting(property);
            boolean free = settings.given(property).isEmpty();
            if (free) {
                return offered.get(0);
            }
            String wanted = setting.orElseThrow().value();
            for (T one : offered) {
                if (label.apply(one).equals(wanted)) {
                    return one;
                }
            }
            List<String> labels = offered.stream().map(label).toList();
            problems.add(
                    setting.orElseThrow().origin(),
                    "target " + target + " does not offer '" + wanted + "' ("
                            + Choices.names(labels).help(wanted) + ")");
            return offered.get(0);
        }

        /** These have defaults, so that only here is known who needs them. */
        void refuseContainerSettings(Provision provision) {
            settings.refuseGiven(
                    List.of(Property.CONTAINER_MEMORY, Property.CONTAINER_CPUS),
                    "is for provision=container, but it is " + provision.label() + ": leave one out",
                    problems);
        }
    }
}
