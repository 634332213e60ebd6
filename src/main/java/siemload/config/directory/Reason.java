package siemload.config.directory;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;

/** Why a file could not be used, in words: Java leaves the commonest reasons to the name of the exception's class. */
public final class Reason {
    private Reason() {}

    /** The reason with the path that it is about, as far as the exception says. */
    public static String of(IOException failure) {
        String said = failure.getMessage() == null ? failure.getClass().getSimpleName() : failure.getMessage();
        return failure instanceof FileSystemException about && about.getReason() == null
                ? said + ": " + word(about)
                : said;
    }

    private static String word(FileSystemException failure) {
        if (failure instanceof AccessDeniedException) {
            return "permission denied";
        }
        if (failure instanceof NoSuchFileException) {
            return "there is no such file or directory";
        }
        if (failure instanceof FileAlreadyExistsException) {
            return "it exists and is not what is needed";
        }
        if (failure instanceof NotDirectoryException) {
            return "it is no directory";
        }
        if (failure instanceof DirectoryNotEmptyException) {
            return "it is not empty";
        }
        return failure instanceof FileSystemLoopException
                ? "its links lead in a circle"
                : failure.getClass().getSimpleName();
    }
}
