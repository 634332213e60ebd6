package siemload.database.mongodb;

import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import siemload.database.Hint;
import siemload.database.IndexSet;
import siemload.database.LayoutFolder;
import siemload.database.Partitions;
import siemload.database.Variant;
import siemload.database.contract.ContractSubject;
import siemload.database.contract.ContractTest;
import siemload.database.contract.CursorContract;
import siemload.database.contract.PagingContract;
import siemload.database.contract.SearchContract;
import siemload.database.contract.SinkContract;
import siemload.database.layout.BlockFiles;
import siemload.query.Paging;

@Tag("database")
@Tag("exhaustive")
final class MongodbOwnLayoutContractTest extends ContractTest
        implements SearchContract, PagingContract, CursorContract, SinkContract {
    MongodbOwnLayoutContractTest() {
        super(new ContractSubject(new MongodbPlugin(), variant(), MongodbTestServer::start));
    }

    private static Variant variant() {
        SortedMap<String, String> files = new TreeMap<>();
        BlockFiles.of(new MongodbPlugin().ownLayouts().orElseThrow().files("idea", Partitions.NONE))
                .forEach((file, text) -> files.put(file, renamed(file, text)));
        files.put("condition-address.json", """
                {"All": {"$elemMatch": {"min": {"$lte": {"$param": "last"}}, "max": {"$gte": {"$param": "first"}}}}}
                """);
        LayoutFolder folder = new LayoutFolder("renamed", "renamed", BlockFiles.folder(files));
        return new Variant(
                folder.label(), Partitions.NONE, IndexSet.NATIVE, Hint.NONE, Paging.OFFSET, Optional.of(folder));
    }

    private static String renamed(String file, String text) {
        return file.equals("rows.json")
                ? text
                : text.replace("\"Address", "\"All")
                        .replace("Node", "By")
                        .replace("Category", "Kinds")
                        .replace("Description", "Words");
    }
}
