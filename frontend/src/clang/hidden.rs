//! What a unit does not show of its precompiled header. libclang lists the declarations of the files that it parsed, and
//! no others; what an expression refers to is seen all the same. Who searches the list has to know what may be missing.

use super::{Cursor, CursorKind, TranslationUnit};

/// What a precompiled header hides.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Hidden {
    /// Functions that the parser made from templates, and friends that classes define; in order.
    pub functions: Vec<HiddenFunction>,
    /// The names of types outside of classes and functions, in order.
    pub types: Vec<String>,
    /// Those of variables and enumerators.
    pub values: Vec<String>,
}

/// A function.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct HiddenFunction {
    /// Its name; a constructor has its class's.
    pub name: String,
    /// The class of a constructor, as the parser writes the type; else nothing.
    pub class: String,
}

impl Hidden {
    /// What would be hidden of a unit if it became a precompiled header.
    pub fn of(unit: &TranslationUnit) -> Hidden {
        let children = unit.cursor().children();
        let mut functions: Vec<HiddenFunction> = children.iter().filter_map(|&c| function(c)).collect();
        functions.sort();
        functions.dedup();
        let (mut types, mut values) = (Vec::new(), Vec::new());
        children.into_iter().for_each(|c| note_names(c, &mut types, &mut values));
        for names in [&mut types, &mut values] {
            names.sort();
            names.dedup();
        }
        Hidden { functions, types, values }
    }

    /// Whether it has functions of a name; of the constructors those of a class count.
    pub(super) fn has_function(&self, name: &str, class: Option<Cursor<'_>>) -> bool {
        let start = self.functions.partition_point(|f| f.name.as_str() < name);
        let mut named = self.functions[start..].iter().take_while(|f| f.name == name).peekable();
        if named.peek().is_none() {
            return false;
        }
        let class = class.map(class_name);
        named.any(|f| class.as_ref().is_none_or(|class| f.class.is_empty() || f.class == *class))
    }

    pub(super) fn has_type(&self, name: &str) -> bool {
        has(&self.types, name)
    }

    pub(super) fn has_value(&self, name: &str) -> bool {
        has(&self.values, name)
    }
}

fn has(names: &[String], name: &str) -> bool {
    names.binary_search_by(|n| n.as_str().cmp(name)).is_ok()
}

fn function(cursor: Cursor<'_>) -> Option<HiddenFunction> {
    let is_class = |p: Cursor<'_>| matches!(p.kind(), CursorKind::StructDecl | CursorKind::ClassDecl);
    let class = match cursor.kind() {
        CursorKind::Constructor => cursor.semantic_parent().map(class_name)?,
        CursorKind::CXXMethod => String::new(),
        // One that no template made is found by its namespace, but for a friend that a class defines.
        CursorKind::FunctionDecl
            if cursor.specialized_template().is_some() || cursor.lexical_parent().is_some_and(is_class) =>
        {
            String::new()
        }
        _ => return None,
    };
    Some(HiddenFunction { name: cursor.spelling(), class })
}

/// How the parser writes the type of a class.
fn class_name(class: Cursor<'_>) -> String {
    class.ty().canonical().spelling()
}

fn note_names(at: Cursor<'_>, types: &mut Vec<String>, values: &mut Vec<String>) {
    match at.kind() {
        CursorKind::Namespace | CursorKind::LinkageSpec => {
            at.children().into_iter().for_each(|c| note_names(c, types, values));
        }
        CursorKind::EnumDecl => {
            types.push(at.spelling());
            at.children().into_iter().for_each(|c| note_names(c, types, values));
        }
        CursorKind::StructDecl
        | CursorKind::ClassDecl
        | CursorKind::UnionDecl
        | CursorKind::TypedefDecl
        | CursorKind::TypeAliasDecl => types.push(at.spelling()),
        CursorKind::VarDecl | CursorKind::EnumConstantDecl => values.push(at.spelling()),
        _ => {}
    }
}
