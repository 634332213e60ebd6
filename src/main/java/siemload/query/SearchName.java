package siemload.query;

/**
 * The searches of the catalogue: first the ten of the CESNET study by its names, then what the Hawat pages ask beside them.
 * New ones come last: what is drawn for the others stays as it is.
 * {@link SearchCatalog} says what each asks for.
 */
public enum SearchName {
    MENTAT,
    HAWAT1,
    HAWAT2,
    HAWAT3,
    HAWAT4,
    HAWAT5,
    HAWAT6,
    HAWAT7,
    OTHER1,
    OTHER2,
    DETAIL,
    TEXT,
    TIMELINE,
    TOPLIST,
    SERVICE,
    TOPPORTS,
    SOURCE,
    TARGET,
    SOURCENET,
    TARGETNET,
    WITHIN,
    SOURCELIST,
    TARGETLIST,
    PORT,
    SOURCEPORT,
    TARGETPORT,
    DESCRIPTION,
    TOPCATEGORIES,
    TOPSOURCES,
    TOPHOURS,
    ADDRESSTIMELINE,
    CATEGORYSOURCES,
    DETECTORHOURS
}
