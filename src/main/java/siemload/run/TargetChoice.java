package siemload.run;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import siemload.config.Choices;
import siemload.config.Origin;
import siemload.config.Problems;
import siemload.config.Property;
import siemload.config.Setting;
import siemload.config.Settings;
import siemload.database.Abilities;
import siemload.database.Hint;
import siemload.database.IndexSet;
import siemload.database.LayoutFolder;
import siemload.database.Partitions;
import siemload.database.Provision;
import siemload.database.TargetPlugin;
import siemload.database.TargetPlugins;
import siemload.database.Variant;
import siemload.query.Paging;

/**
 * The target of a run, and which of its variants; everything is offered by the target. Immutable.
 *
 * @param provision where its server comes from
 */
public record TargetChoice(TargetPlugin plugin, Variant variant, Provision provision) {

    /**
     * The choice that the settings describe.
     *
     * @throws siemload.config.ConfigException if they name something the target does not offer
     */
    public static TargetChoice of(Settings settings) {
        Problems problems = new Problems();
        String id = settings.value(Property.TARGET);
        Optional<TargetPlugin> plugin = TargetPlugins.find(id);
        if (plugin.isEmpty()) {
            List<String> known =
                    TargetPlugins.all().stream().map(TargetPlugin::id).toList();
            problems.add(
                    origin(settings, Property.TARGET),
                    "'" + id + "' is unknown (" + Choices.names(known).help(id) + ")");
            problems.throwIfAny();
        }
        return of(plugin.orElseThrow(), settings, problems);
    }

    private static TargetChoice of(TargetPlugin plugin, Settings settings, Problems problems) {
        Optional<LayoutFolder> own = ownLayout(plugin, settings);
        Abilities abilities = own.map(plugin::abilities).orElseGet(plugin::abilities);
        Offer offer = new Offer(plugin.id(), settings, problems);
        Variant variant = new Variant(
                own.map(LayoutFolder::label)
                        .orElseGet(() -> offer.choose(Property.LAYOUT, abilities.layouts(), layout -> layout)),
                offer.choose(Property.PARTITIONS, abilities.partitions(), Partitions::label),
                offer.choose(Property.INDEXES, abilities.indexSets(), IndexSet::label),
                offer.choose(Property.HINT, abilities.hints(), Hint::label),
                offer.choose(Property.PAGING, abilities.pagings(), Paging::label),
                own);
        Provision provision = offer.choose(Property.PROVISION, abilities.provisions(), Provision::label);
        if (provision != Provision.CONTAINER) {
            offer.refuseContainerSettings(provision);
        }
        if (provision == Provision.EXTERNAL && settings.find(Property.URL).isEmpty()) {
            problems.add(
                    origin(settings, Property.TARGET),
                    "target " + plugin.id() + " needs a server of yours (give its url: -Durl)");
        }
        settings.setting(Property.DATABASE)
                .filter(database -> !plugin.liesInOneDatabase())
                .ifPresent(database -> problems.add(
                        database.origin(),
                        "target " + plugin.id() + " makes databases or tables of its own, wherever its url leads (leave"
                                + " this out)"));
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

    /** The layout that is given as a folder; what the target calls one of its own is never one. */
    private static Optional<LayoutFolder> ownLayout(TargetPlugin plugin, Settings settings) {
        return settings.setting(Property.LAYOUT)
                .filter(layout ->
                        !plugin.abilities().layouts().contains(layout.value()) && LayoutFolder.isMeant(layout.value()))
                .map(layout -> LayoutFolder.read(layout.value(), layout.origin(), plugin));
    }

    /** Whether its layout says how to search data that are there already, and neither loads nor feeds any. */
    boolean isForSearchesAlone() {
        return variant.ownLayout().filter(plugin::isForSearchesAlone).isPresent();
    }

    /** The same target with another variant. */
    TargetChoice with(Variant other) {
        return new TargetChoice(plugin, other, provision);
    }

    private static Origin origin(Settings settings, Property<?> property) {
        return settings.setting(property).map(Setting::origin).orElse(new Origin.Default());
    }

    /** What a target offers, held against what the settings ask for. */
    private record Offer(String target, Settings settings, Problems problems) {

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
            List<Property<?>> ofContainers = settings.onKubernetes()
                    ? List.of(Property.KEEP_CONTAINER)
                    : List.of(Property.CONTAINER_MEMORY, Property.CONTAINER_CPUS, Property.KEEP_CONTAINER);
            settings.refuseGiven(
                    ofContainers,
                    "is for provision=container, but it is " + provision.label() + ": leave one out",
                    problems);
        }
    }
}
