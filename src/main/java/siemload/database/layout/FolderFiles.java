package siemload.database.layout;

import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import siemload.config.NearestName;
import siemload.config.Origin;
import siemload.config.Problems;
import siemload.database.LayoutFolder;

/**
 * The files of a folder, held against those that its layout needs and those that it may have.
 *
 * @param ending of the names of all files but {@code layout.yaml}, with the dot
 * @param problems what is wrong is noted there
 */
public record FolderFiles(LayoutFolder folder, String ending, Problems problems) {

    /**
     * Notes each file that is missing.
     *
     * @param needed names without the ending
     * @param there the names of the folder's files and of those of its base, without the ending
     * @param purpose what a file is for, as the end of a sentence; may be empty
     */
    public void noteMissing(Set<String> needed, Set<String> there, UnaryOperator<String> purpose) {
        Origin about = new Origin.WholeFile(folder.shown(LayoutFolder.ABOUT));
        for (String name : needed) {
            if (!there.contains(name)) {
                problem(
                        name,
                        "there is no such file, which the layout needs" + purpose.apply(name)
                                + " (make it, or name a layout of siemload's that has it as base in " + about + ")");
            }
        }
    }

    /** Notes each file that nothing reads. @return the names of the others, without the ending */
    public List<String> noteUnread(Set<String> known) {
        List<String> own = folder.files().keySet().stream()
                .filter(file -> !file.equals(LayoutFolder.ABOUT))
                .map(file -> file.substring(0, file.length() - ending.length()))
                .toList();
        own.stream()
                .filter(name -> !known.contains(name))
                .forEach(name -> problem(
                        name,
                        "nothing reads a file of this name in this layout (" + nearest(name, known)
                                + "remove it, or give it another ending)"));
        return own.stream().filter(known::contains).toList();
    }

    private String nearest(String name, Set<String> known) {
        return NearestName.among(name, List.copyOf(known))
                .map(near -> "did you mean " + near + ending + "? else ")
                .orElse("");
    }

    /** Notes what is wrong with one of them as a whole. */
    public void problem(String name, String message) {
        problems.add(origin(name), message);
    }

    /** The text of one of its own files. */
    public String text(String name) {
        return folder.files().getOrDefault(name + ending, "");
    }

    /** One of them as a whole. */
    public Origin origin(String name) {
        return new Origin.WholeFile(folder.shown(name + ending));
    }

    /** A place in one of them; both numbers are 1 or more. */
    public Origin origin(String name, int line, int column) {
        return new Origin.InFile(folder.shown(name + ending), line, column);
    }
}
